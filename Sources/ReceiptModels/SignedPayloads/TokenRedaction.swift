// Models that hold signed tokens print everything but the tokens: a token is as good as the purchase
// to whoever finds it in a log.

/// What stands in the place of a token, or nil where there is none.
private func redacted(_ token: String?) -> String? { token.map { _ in "redacted" } }

extension NotificationData: CustomReflectable {
  /// All fields, the tokens redacted; `print` and `dump` show this.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "environment": environment as Any, "appAppleID": appAppleID as Any,
        "bundleID": bundleID as Any, "bundleVersion": bundleVersion as Any,
        "status": status as Any, "consumptionRequestReason": consumptionRequestReason as Any,
        "signedTransactionInfo": redacted(signedTransactionInfo) as Any,
        "signedRenewalInfo": redacted(signedRenewalInfo) as Any,
        "additionalMembers": additionalMembers,
      ], displayStyle: .struct)
  }
}

extension NotificationAppData: CustomReflectable {
  /// All fields, the token redacted; `print` and `dump` show this.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "environment": environment as Any, "appAppleID": appAppleID as Any,
        "bundleID": bundleID as Any,
        "signedAppTransactionInfo": redacted(signedAppTransactionInfo) as Any,
        "additionalMembers": additionalMembers,
      ], displayStyle: .struct)
  }
}

extension SignedPayloadBody: CustomReflectable {
  /// All fields, the token redacted; `print` and `dump` show this.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "signedPayload": redacted(signedPayload) as Any, "additionalMembers": additionalMembers,
      ], displayStyle: .struct)
  }
}

extension RealtimePromotionalOffer: CustomReflectable {
  /// All fields, the signature redacted; `print` and `dump` show this.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "messageIdentifier": messageIdentifier as Any,
        "promotionalOfferSignatureV2": redacted(promotionalOfferSignatureV2) as Any,
        "promotionalOfferSignatureV1": promotionalOfferSignatureV1 as Any,
        "additionalMembers": additionalMembers,
      ], displayStyle: .struct)
  }
}
