// A receipt or a signed token in a log gives its reader the purchase, and a shared secret gives more. They
// are left out of what is printed, and so are identifiers of devices. The additional members of verifyReceipt
// are shown by name only, since their values may contain an unreadable receipt, or a device identifier in an
// unusual place.

extension FieldModel {
  /// Returns what `print` and `dump` show.
  fileprivate func mirror(_ fields: KeyValuePairs<String, Any?>) -> Mirror {
    let children: [Mirror.Child] = fields.map {
      (label: $0.key, value: $0.value ?? String?.none as Any)
    }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

private func redacted(_ secret: String?) -> String? { secret.map { _ in "redacted" } }

extension NotificationData: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "environment": environment, "appAppleID": appAppleID, "bundleID": bundleID,
      "bundleVersion": bundleVersion, "status": status,
      "consumptionRequestReason": consumptionRequestReason,
      "signedTransactionInfo": redacted(signedTransactionInfo),
      "signedRenewalInfo": redacted(signedRenewalInfo), "additionalMembers": additionalMembers,
    ])
  }
}

extension NotificationAppData: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "environment": environment, "appAppleID": appAppleID, "bundleID": bundleID,
      "signedAppTransactionInfo": redacted(signedAppTransactionInfo),
      "additionalMembers": additionalMembers,
    ])
  }
}

extension SignedPayloadBody: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "signedPayload": redacted(signedPayload), "additionalMembers": additionalMembers,
    ])
  }
}

extension RealtimePromotionalOffer: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "messageIdentifier": messageIdentifier,
      "promotionalOfferSignatureV2": redacted(promotionalOfferSignatureV2),
      "promotionalOfferSignatureV1": promotionalOfferSignatureV1,
      "additionalMembers": additionalMembers,
    ])
  }
}

extension VerifyReceiptRequest: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "receiptData": redacted(receiptData), "password": redacted(password),
      "excludeOldTransactions": excludeOldTransactions,
      "additionalMembers": additionalMembers.keys.sorted(),
    ])
  }
}

extension VerifyReceiptResponse: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "status": status, "environment": environment, "receipt": receipt,
      "transactionReceipt": transactionReceipt, "latestReceipt": redacted(latestReceipt),
      "latestReceiptInfo": latestReceiptInfo, "latestExpiredReceiptInfo": latestExpiredReceiptInfo,
      "pendingRenewalInfo": pendingRenewalInfo, "isRetryable": isRetryable,
      "autoRenewStatus": autoRenewStatus, "autoRenewProductID": autoRenewProductID,
      "expirationIntent": expirationIntent, "isInBillingRetryPeriod": isInBillingRetryPeriod,
      "cancellationReason": cancellationReason,
      "additionalMembers": additionalMembers.keys.sorted(),
    ])
  }
}

extension VerifyReceiptResponse.Receipt: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "receiptType": receiptType, "bundleID": bundleID, "adamID": adamID, "appItemID": appItemID,
      "applicationVersion": applicationVersion,
      "originalApplicationVersion": originalApplicationVersion, "downloadID": downloadID,
      "versionExternalIdentifier": versionExternalIdentifier,
      "receiptCreationDate": receiptCreationDate, "requestDate": requestDate,
      "originalPurchaseDate": originalPurchaseDate, "expirationDate": expirationDate,
      "preorderDate": preorderDate, "inApp": inApp,
      "additionalMembers": additionalMembers.keys.sorted(),
    ])
  }
}

extension PendingRenewal: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "originalTransactionID": originalTransactionID, "productID": productID,
      "autoRenewProductID": autoRenewProductID, "autoRenewStatus": autoRenewStatus,
      "expirationIntent": expirationIntent, "isInBillingRetryPeriod": isInBillingRetryPeriod,
      "gracePeriodExpiresDate": gracePeriodExpiresDate, "priceConsentStatus": priceConsentStatus,
      "priceIncreaseStatus": priceIncreaseStatus, "offerCodeRefName": offerCodeRefName,
      "promotionalOfferID": promotionalOfferID,
      "additionalMembers": additionalMembers.keys.sorted(),
    ])
  }
}

extension ReceiptTransaction: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "transactionID": transactionID, "originalTransactionID": originalTransactionID,
      "webOrderLineItemID": webOrderLineItemID, "appAccountToken": appAccountToken,
      "productID": productID, "subscriptionGroupIdentifier": subscriptionGroupIdentifier,
      "quantity": quantity, "inAppOwnershipType": inAppOwnershipType, "isUpgraded": isUpgraded,
      "purchaseDate": purchaseDate, "originalPurchaseDate": originalPurchaseDate,
      "expiresDate": expiresDate, "cancellationDate": cancellationDate,
      "cancellationReason": cancellationReason, "isTrialPeriod": isTrialPeriod,
      "isInIntroOfferPeriod": isInIntroOfferPeriod, "promotionalOfferID": promotionalOfferID,
      "offerCodeRefName": offerCodeRefName, "style": style, "bundleID": bundleID,
      "bundleVersion": bundleVersion, "itemID": itemID, "appItemID": appItemID,
      "versionExternalIdentifier": versionExternalIdentifier,
      "uniqueIdentifier": redacted(uniqueIdentifier),
      "uniqueVendorIdentifier": redacted(uniqueVendorIdentifier),
      "additionalMembers": additionalMembers.keys.sorted(),
    ])
  }
}

extension ServerNotificationV1: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "notificationType": notificationType, "password": redacted(password),
      "environmentText": environmentText, "bundleID": bundleID, "bundleVersion": bundleVersion,
      "originalTransactionID": originalTransactionID, "webOrderLineItemID": webOrderLineItemID,
      "autoRenewAdamID": autoRenewAdamID, "autoRenewProductID": autoRenewProductID,
      "autoRenewStatus": autoRenewStatus, "autoRenewStatusChangeDate": autoRenewStatusChangeDate,
      "cancellationDate": cancellationDate, "expirationIntent": expirationIntent,
      "unifiedReceipt": unifiedReceipt, "additionalMembers": additionalMembers.keys.sorted(),
    ])
  }
}

extension ServerNotificationV1.UnifiedReceipt: CustomReflectable {
  public var customMirror: Mirror {
    mirror([
      "environment": environment, "status": status, "latestReceipt": redacted(latestReceipt),
      "latestReceiptInfo": latestReceiptInfo, "pendingRenewalInfo": pendingRenewalInfo,
      "additionalMembers": additionalMembers.keys.sorted(),
    ])
  }
}
