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
  package let payload: ServerNotification
  package let environment: AppStoreEnvironment
  package let signedDate: Date?
  let chain: CertificateChain
}

extension SignedDataVerifier {
  /// Verifies the signature, the chain and the bundle ID of a notification that
  /// ``notificationEnvelope(_:)`` refused because of its environment.
  ///
  /// The Apple ID is not compared.
  package func foreignNotification(
    _ token: String
  ) throws(SignedDataFailure) -> ForeignNotification {
    let (payload, content, identity): (ServerNotification, AuthenticContent, PayloadIdentity) =
      try foreign(token)
    guard let environment = identity.environment else { throw .environmentMissing }
    var dated = content.content
    return ForeignNotification(
      payload: payload, environment: environment,
      signedDate: dated.date(in: ServerNotification.signedDateMember), chain: content.chain)
  }

  /// Asks Apple whether a certificate behind a notification was revoked, as
  /// ``checkingRevocation(of:)`` does.
  package func checkRevocation(
    of notification: ForeignNotification
  ) async throws(SignedDataFailure) {
    _ = try await revocationChecker?.check([notification.chain])
  }

  /// Returns the failure of a transaction that ``transaction(_:)`` refused because of its environment, if
  /// its app is looked at first.
  ///
  /// - Returns: ``SignedDataFailure/bundleMismatch(found:)`` if the transaction names another app; nil if
  ///   the environment alone is wrong.
  package func bundleFailure(ofTransaction token: String) -> SignedDataFailure? {
    do throws(SignedDataFailure) {
      let _: (Transaction, AuthenticContent, PayloadIdentity) = try foreign(token)
      return nil
    } catch {
      if case .bundleMismatch(found: .some) = error { return error }
      return nil
    }
  }

  /// Verifies the signature, the chain and the bundle ID of a token of any environment.
  private func foreign<Payload: SignedPayload>(
    _ token: String
  ) throws(SignedDataFailure) -> (Payload, AuthenticContent, PayloadIdentity) {
    var content = try authenticContent(of: token, signedDateMember: Payload.signedDateMember)
    let payload: Payload = try authentic(&content.content)
    let identity = try payload.identity()
    _ = try accepted(
      PayloadIdentity(
        environment: environments.first, bundleID: identity.bundleID, appAppleID: .notMade))
    return (payload, content, identity)
  }
}
