#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TestAuthority {
  /// A responder that tells whether this authority's leaf and intermediate are revoked.
  ///
  /// A certificate is only asked about when it names an address, any one:
  ///
  /// ```swift
  /// let authority = try TestAuthority {
  ///   $0.leaf.revocationResponder = "http://ocsp.example/leaf"
  ///   $0.intermediate.revocationResponder = "http://ocsp.example/intermediate"
  /// }
  /// let responder = try authority.revocationResponder(now: { Date() })
  /// ```
  ///
  /// - Parameter now: The time at which answers are signed.
  /// - Returns: A responder that says that all is good, until told otherwise.
  /// - Throws: When OpenSSL runs out of memory.
  public func revocationResponder(
    now: @escaping @Sendable () -> Date
  ) throws -> TestRevocationResponder {
    let responder = TestRevocationResponder(now: now)
    try responder.serve(leaf, as: .leaf, issuedBy: intermediate, issuerKey: intermediateKey)
    try responder.serve(intermediate, as: .intermediate, issuedBy: root, issuerKey: rootKey)
    return responder
  }
}
