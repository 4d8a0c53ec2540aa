package import ReceiptModels

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A notification that Apple signed for one of our apps, of an environment that the verifier does not
/// accept.
///
/// Nothing inside it was verified. It serves to note that it came, and for nothing else.
package struct ForeignNotification: Sendable {
  /// The notification.
  package let payload: ServerNotification
  /// The environment.
  package let environment: AppStoreEnvironment
  /// The signing date, or nil if the payload has none.
  package let signedDate: Date?
}

extension SignedDataVerifier {
  /// Verifies the signature, the chain and the bundle ID of a notification that
  /// ``notificationEnvelope(_:)`` refused because of its environment.
  ///
  /// The Apple ID is not compared.
  ///
  /// - Parameter token: A compact JWS of at most 256 KiB.
  /// - Returns: The notification.
  /// - Throws: ``SignedDataFailure``.
  package func foreignNotification(
    _ token: String
  ) throws(SignedDataFailure) -> ForeignNotification {
    let member = ServerNotification.signedDateMember
    var envelope = try authenticContent(of: token, signedDateMember: member)
    let payload: ServerNotification = try authentic(&envelope.content)
    let identity = try payload.identity()
    guard let environment = identity.environment else { throw .environmentMissing }
    _ = try accepted(
      PayloadIdentity(
        environment: environments.first, bundleID: identity.bundleID, appAppleID: .notMade))
    return ForeignNotification(
      payload: payload, environment: environment, signedDate: envelope.content.date(in: member))
  }
}
