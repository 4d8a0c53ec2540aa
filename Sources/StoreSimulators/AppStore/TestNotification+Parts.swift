internal import StorekeeperTesting

extension TestNotification {
  /// The transaction as the App Store signs it for an app, a compact JWS.
  public var signedTransactionInfo: String {
    get throws { try appStore.signedDataAuthority.sign(transaction) }
  }

  /// The renewal info as the App Store signs it for an app, a compact JWS; nil if the purchase doesn't
  /// renew.
  public var signedRenewalInfo: String? {
    get throws { try renewalInfo.map { try appStore.signedDataAuthority.sign($0) } }
  }
}

extension TestPurchase {
  /// The transaction as the App Store signs it for an app, a compact JWS.
  public var signedTransactionInfo: String { get throws { try notification.signedTransactionInfo } }

  /// The renewal info as the App Store signs it for an app, a compact JWS; nil if the purchase doesn't
  /// renew.
  public var signedRenewalInfo: String? { get throws { try notification.signedRenewalInfo } }
}
