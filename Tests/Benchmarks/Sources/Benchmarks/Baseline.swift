import CBaseline

/// OpenSSL's signature checks alone.
final class Baseline {
  private let p256: OpaquePointer
  private let p384: OpaquePointer

  struct Unavailable: Error {}

  init() throws {
    let digest = [UInt8](repeating: 0x5A, count: 32)
    guard let p256 = verification_new("P-256", digest, digest.count) else { throw Unavailable() }
    guard let p384 = verification_new("P-384", digest, digest.count) else {
      verification_free(p256)
      throw Unavailable()
    }
    self.p256 = p256
    self.p384 = p384
  }

  deinit {
    verification_free(p256)
    verification_free(p384)
  }

  func measure(_ costs: inout Measurement) throws {
    try costs.add("P-256", count: 400) {
      guard verification_run(p256, 400) == 1 else { throw Unavailable() }
    }
    try costs.add("P-384", count: 40) {
      guard verification_run(p384, 40) == 1 else { throw Unavailable() }
    }
  }
}
