// Models that contain signed tokens print everything else: a token in a log gives its reader the
// purchase.

/// Returns the replacement of a token, or nil if there is no token.
private func redacted(_ token: String?) -> String? { token.map { _ in "redacted" } }

extension NotificationData: CustomReflectable {
  /// All fields for `print` and `dump`, with the tokens redacted.
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
  /// All fields for `print` and `dump`, with the token redacted.
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
  /// All fields for `print` and `dump`, with the token redacted.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "signedPayload": redacted(signedPayload) as Any, "additionalMembers": additionalMembers,
      ], displayStyle: .struct)
  }
}

extension RealtimePromotionalOffer: CustomReflectable {
  /// All fields for `print` and `dump`, with the signature redacted.
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
