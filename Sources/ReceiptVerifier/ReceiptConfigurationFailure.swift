public import ReceiptModels

/// Why a verifier of receipts cannot be configured so.
@nonexhaustive
public enum ReceiptConfigurationFailure: Error, Hashable, Sendable {
  /// No app is named, or one by an empty bundle id; for any app, give nil.
  case noBundleID
  /// No environment is accepted.
  case noEnvironment
  /// Apple signs no receipts for this environment.
  case environmentNotSigned(AppStoreEnvironment)
  /// There is nothing that a chain could end at.
  case noTrustAnchor
  /// What is given at this place is not one X.509 certificate in DER.
  case notACertificate(Int)

  /// Checks that the apps are named, if they are limited at all.
  static func check(_ bundleIDs: Set<String>?) throws(ReceiptConfigurationFailure) {
    guard let bundleIDs else { return }
    guard !bundleIDs.isEmpty, !bundleIDs.contains("") else { throw .noBundleID }
  }
}
