#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TestAuthority {
  /// Creates an OCSP responder for this authority's leaf and intermediate.
  ///
  /// A certificate is only checked if it names the URL of a responder, which can be any:
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
  /// - Returns: A responder that reports all certificates as good, unless told otherwise.
  /// - Throws: An error if OpenSSL runs out of memory.
  public func revocationResponder(
    now: @escaping @Sendable () -> Date
  ) throws -> TestRevocationResponder {
    let responder = TestRevocationResponder(now: now)
    try responder.serve(leaf, as: .leaf, issuedBy: intermediate, issuerKey: intermediateKey)
    try responder.serve(intermediate, as: .intermediate, issuedBy: root, issuerKey: rootKey)
    return responder
  }
}
