/// p
public enum RevocationStatus: Hashable, Sendable {
  /// p
  case notRequested
}
/// p
public final class RevocationChecker: Sendable {
  func check(_ c: [CertificateChain]) async throws(SignedDataFailure) -> RevocationStatus {
    .notRequested
  }
}
