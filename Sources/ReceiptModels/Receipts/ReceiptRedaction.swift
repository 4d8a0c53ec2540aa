// A receipt in a log gives its reader the purchase, and a shared secret gives more. Both are left
// out of what is printed, and so are identifiers of devices. Additional members are shown by name
// only, since their values may contain an unreadable receipt, or a device identifier in an unusual
// place.

private func redacted(_ secret: String?) -> String? { secret.map { _ in "redacted" } }

extension VerifyReceiptRequest: CustomReflectable {
  /// All fields for `print` and `dump`, with the receipt and the password redacted.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "receiptData": redacted(receiptData) as Any, "password": redacted(password) as Any,
        "excludeOldTransactions": excludeOldTransactions as Any,
        "additionalMembers": additionalMembers.keys.sorted(),
      ], displayStyle: .struct)
  }
}

extension VerifyReceiptResponse: CustomReflectable {
  /// All fields for `print` and `dump`, with the receipt redacted.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "status": status, "environment": environment as Any, "receipt": receipt as Any,
        "transactionReceipt": transactionReceipt as Any,
        "latestReceipt": redacted(latestReceipt) as Any,
        "latestReceiptInfo": latestReceiptInfo as Any,
        "latestExpiredReceiptInfo": latestExpiredReceiptInfo as Any,
        "pendingRenewalInfo": pendingRenewalInfo as Any, "isRetryable": isRetryable as Any,
        "autoRenewStatus": autoRenewStatus as Any,
        "autoRenewProductID": autoRenewProductID as Any,
        "expirationIntent": expirationIntent as Any,
        "isInBillingRetryPeriod": isInBillingRetryPeriod as Any,
        "cancellationReason": cancellationReason as Any,
        "additionalMembers": additionalMembers.keys.sorted(),
      ], displayStyle: .struct)
  }
}

extension VerifyReceiptResponse.Receipt: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "receiptType": receiptType as Any, "bundleID": bundleID as Any, "adamID": adamID as Any,
        "appItemID": appItemID as Any, "applicationVersion": applicationVersion as Any,
        "originalApplicationVersion": originalApplicationVersion as Any,
        "downloadID": downloadID as Any,
        "versionExternalIdentifier": versionExternalIdentifier as Any,
        "receiptCreationDate": receiptCreationDate as Any, "requestDate": requestDate as Any,
        "originalPurchaseDate": originalPurchaseDate as Any,
        "expirationDate": expirationDate as Any, "preorderDate": preorderDate as Any,
        "inApp": inApp as Any, "additionalMembers": additionalMembers.keys.sorted(),
      ], displayStyle: .struct)
  }
}

extension PendingRenewal: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "originalTransactionID": originalTransactionID as Any, "productID": productID as Any,
        "autoRenewProductID": autoRenewProductID as Any,
        "autoRenewStatus": autoRenewStatus as Any, "expirationIntent": expirationIntent as Any,
        "isInBillingRetryPeriod": isInBillingRetryPeriod as Any,
        "gracePeriodExpiresDate": gracePeriodExpiresDate as Any,
        "priceConsentStatus": priceConsentStatus as Any,
        "priceIncreaseStatus": priceIncreaseStatus as Any,
        "offerCodeRefName": offerCodeRefName as Any,
        "promotionalOfferID": promotionalOfferID as Any,
        "additionalMembers": additionalMembers.keys.sorted(),
      ], displayStyle: .struct)
  }
}

extension ReceiptTransaction: CustomReflectable {
  /// All fields for `print` and `dump`, with the identifiers of the device redacted.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "transactionID": transactionID as Any,
        "originalTransactionID": originalTransactionID as Any,
        "webOrderLineItemID": webOrderLineItemID as Any,
        "appAccountToken": appAccountToken as Any, "productID": productID as Any,
        "subscriptionGroupIdentifier": subscriptionGroupIdentifier as Any,
        "quantity": quantity as Any, "inAppOwnershipType": inAppOwnershipType as Any,
        "isUpgraded": isUpgraded as Any, "purchaseDate": purchaseDate as Any,
        "originalPurchaseDate": originalPurchaseDate as Any, "expiresDate": expiresDate as Any,
        "cancellationDate": cancellationDate as Any,
        "cancellationReason": cancellationReason as Any, "isTrialPeriod": isTrialPeriod as Any,
        "isInIntroOfferPeriod": isInIntroOfferPeriod as Any,
        "promotionalOfferID": promotionalOfferID as Any,
        "offerCodeRefName": offerCodeRefName as Any, "style": style,
        "bundleID": bundleID as Any, "bundleVersion": bundleVersion as Any,
        "itemID": itemID as Any, "appItemID": appItemID as Any,
        "versionExternalIdentifier": versionExternalIdentifier as Any,
        "uniqueIdentifier": redacted(uniqueIdentifier) as Any,
        "uniqueVendorIdentifier": redacted(uniqueVendorIdentifier) as Any,
        "additionalMembers": additionalMembers.keys.sorted(),
      ], displayStyle: .struct)
  }
}

extension ServerNotificationV1: CustomReflectable {
  /// The identifying fields for `print` and `dump`, with the password redacted.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "notificationType": notificationType as Any, "password": redacted(password) as Any,
        "environmentText": environmentText as Any, "bundleID": bundleID as Any,
        "bundleVersion": bundleVersion as Any,
        "originalTransactionID": originalTransactionID as Any,
        "webOrderLineItemID": webOrderLineItemID as Any,
        "autoRenewAdamID": autoRenewAdamID as Any,
        "autoRenewProductID": autoRenewProductID as Any,
        "autoRenewStatus": autoRenewStatus as Any,
        "autoRenewStatusChangeDate": autoRenewStatusChangeDate as Any,
        "cancellationDate": cancellationDate as Any,
        "expirationIntent": expirationIntent as Any, "unifiedReceipt": unifiedReceipt as Any,
        "additionalMembers": additionalMembers.keys.sorted(),
      ], displayStyle: .struct)
  }
}

extension ServerNotificationV1.UnifiedReceipt: CustomReflectable {
  /// All fields for `print` and `dump`, with the receipt redacted.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "environment": environment as Any, "status": status as Any,
        "latestReceipt": redacted(latestReceipt) as Any,
        "latestReceiptInfo": latestReceiptInfo as Any,
        "pendingRenewalInfo": pendingRenewalInfo as Any,
        "additionalMembers": additionalMembers.keys.sorted(),
      ], displayStyle: .struct)
  }
}
