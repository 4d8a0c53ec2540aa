extension StoredText {
  /// A field of rows: its name, the side that its texts come from, and their shape.
  struct Field: Sendable {
    let name: StorageFailure.Field
    let shape: Shape

    init(_ name: StorageFailure.Field, _ shape: Shape) {
      self.name = name
      self.shape = shape
    }

    /// Returns the field of a row whose text comes from another side.
    func from(_ origin: StorageFailure.Field.Origin) -> Field {
      Field(StorageFailure.Field(name.name, from: origin), shape)
    }
  }
}

// The table. A field that has another side or another shape in some rows has a line for these.

// Common to all capabilities.
extension StoredText.Field {
  static let originalTransactionID = Self(.evidence("originalTransactionID"), .transactionID)
  static let transactionID = Self(.evidence("transactionID"), .transactionID)
  static let productID = Self(.evidence("productID"), .productID)
  static let planID = Self(.evidence("planID"), .other)
  static let autoRenewProductID = Self(.evidence("autoRenewProductID"), .productID)
  static let subscriptionGroupID = Self(.evidence("subscriptionGroupID"), .other)
  static let webOrderLineItemID = Self(.evidence("webOrderLineItemID"), .other)
  static let offer = Self(.evidence("offer"), .other)
  static let productType = Self(.evidence("productType"), .other)
  static let ownership = Self(.evidence("ownership"), .other)
  static let revocationType = Self(.evidence("revocationType"), .other)
  static let receipt = Self(.evidence("receipt"), .receipt)
  static let revision = Self(.evidence("revision"), .revision)

  static let appItemID = Self(.evidence("appItemID"), .other)
  static let applicationVersion = Self(.evidence("applicationVersion"), .other)
  static let sessionBundleID = Self(.evidence("bundleID"), .other)
  static let downloadID = Self(.evidence("downloadID"), .other)
  static let originalApplicationVersion = Self(.evidence("originalApplicationVersion"), .other)
  static let receiptType = Self(.evidence("receiptType"), .other)
  static let versionExternalIdentifier = Self(.evidence("versionExternalIdentifier"), .other)

  static let key = Self("key", .notificationKey)
  static let notificationType = Self(.evidence("notificationType"), .other)
  static let subtype = Self(.evidence("subtype"), .other)
  static let notificationUUID = Self(.evidence("notificationUUID"), .other)
  static let signedPayload = Self(.evidence("signedPayload"), .signedPayload)
  static let path = Self("path", .other)

  static let caseKey = Self(.evidence("key"), .notificationKey)
  static let caseReason = Self(.evidence("reason"), .word)
  static let pendingRefundToken = Self(.evidence("pendingRefundToken"), .revision)
  static let answer = Self("answer", .answer)
  static let outcome = Self("outcome", .word)

  static let kind = Self("kind", .other)
  static let tier = Self("tier", .other)
  static let cycle = Self("cycle", .other)
  static let reference = Self("reference", .notificationKey)
  static let messageBody = Self("body", .receipt)
  static let cause = Self("cause", .word)
  static let detail = Self("detail", .place)

  static let countryOrCurrency = Self(.evidence("currency"), .code)
  static let moneySource = Self("source", .source)
  static let measure = Self("measure", .kind)

  static let eventType = Self("type", .word)
  static let member = Self("member", .word)
  static let eventData = Self("data", .answer)

  static let pseudonym = Self("pseudonym", .token)

  static let job = Self("job", .job)
  static let place = Self("place", .place)
  static let token = Self("token", .token)
}

// Of subscriptions.
extension StoredText.Field {
  static let lastTransactionID = Self(.evidence("lastTransactionID"), .transactionID)
  static let owner = Self("owner", .accountID)
  static let accountID = Self("accountID", .accountID)
  static let error = Self("error", .other)

  static let membershipID = Self("membershipID", .accountID)
  static let primaryID = Self("primaryID", .accountID)
  static let secondID = Self("secondID", .accountID)
  static let payMethod = Self("payMethod", .other)
  static let status = Self("status", .other)
  static let expireDate = Self("expireDate", .other)
  static let providerSubscriptionID = Self("providerSubscriptionID", .other)
  static let providerPlanID = Self("providerPlanID", .other)
  static let licenceID = Self("licenceID", .other)
  static let hostPlanID = Self("hostPlanID", .other)
  static let snapshotReason = Self("reason", .other)
}

// Of credits. The side of what is booked is that of a service; a purchase's is evidence.
extension StoredText.Field {
  static let creditEnvironment = Self(.evidence("environment"), .kind)
  static let creditTransactionID = Self(.evidence("transactionID"), .creditTransactionID)
  static let creditOriginalID = Self(.evidence("originalTransactionID"), .creditTransactionID)
  static let bundleID = Self(.evidence("bundleID"), .word)
  static let creditUserID = Self(.caller("userID"), .accountID)
  static let productCode = Self("productCode", .word)
  static let ledgerEventID = Self(.evidence("ledgerEventID"), .word)

  static let eventID = Self(.caller("eventID"), .word)
  static let changeType = Self(.caller("changeType"), .kind)
  static let subjectType = Self(.caller("subjectType"), .kind)
  static let subjectID = Self(.caller("subjectID"), .word)
  static let metadata = Self(.caller("metadata"), .metadata)

  static let identity = Self("identity", .identity)
  static let uuid = Self(.evidence("uuid"), .notificationKey)
  static let creditNotificationType = Self(.evidence("type"), .place)
  static let creditSubtype = Self(.evidence("subtype"), .place)
}

// Of entitlements.
extension StoredText.Field {
  static let userID = Self(.caller("userID"), .userID)
  static let evidence = Self("evidence", .kind)
  static let presentOwner = Self("owner", .userID)
  static let claimant = Self(.caller("claimant"), .userID)
  static let app = Self("bundleID", .word)
  static let acquiredProductID = Self("productID", .productID)
  static let viaProductID = Self("viaProductID", .productID)
  static let lastFailure = Self("lastFailure", .kind)
  static let unansweredID = Self("originalTransactionID", .transactionID)
}

// Of orders.
extension StoredText.Field {
  static let levelName = Self("levelName", .word)
  static let vendor = Self(.caller("vendor"), .kind)
  static let claimEnvironment = Self(.evidence("environment"), .kind)
  static let purchaseKey = Self(.evidence("purchaseKey"), .word)
  static let receiptData = Self(.evidence("receiptData"), .orderReceipt)
  static let messageID = Self(.evidence("messageID"), .word)
}
