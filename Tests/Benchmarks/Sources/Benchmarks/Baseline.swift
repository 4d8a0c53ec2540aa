import CBaseline
import StorekeeperTesting

/// OpenSSL alone, called from C.
final class Baseline {
  private let p256: OpaquePointer
  private let p384: OpaquePointer
  private let chain: OpaquePointer
  private let threads: Int

  struct Unavailable: Error {}

  init(authority: TestAuthority, threads: Int) throws {
    let digest = [UInt8](repeating: 0x5A, count: 32)
    let (leaf, intermediate, root) = (
      authority.certificate(.leaf), authority.certificate(.intermediate),
      authority.certificate(.root)
    )
    guard let p256 = verification_new("P-256", digest, digest.count),
      let p384 = verification_new("P-384", digest, digest.count),
      let chain = chain_new(
        leaf, leaf.count, intermediate, intermediate.count, root, root.count)
    else { throw Unavailable() }
    self.p256 = p256
    self.p384 = p384
    self.chain = chain
    self.threads = threads
  }

  deinit {
    verification_free(p256)
    verification_free(p384)
    chain_free(chain)
  }

  func measure(_ costs: inout Measurement) throws {
    try costs.add("P-256", count: 400) { try check(verification_run(p256, 400)) }
    try costs.add("P-384", count: 40) { try check(verification_run(p384, 40)) }
    try costs.add("chain in C", count: 40) { try check(chain_run(chain, p256, 40)) }
    try costs.add("P-256, one thread", count: 1600, clock: wall_nanoseconds) {
      try check(verification_run_threads(p256, 1, 1600))
    }
    try costs.add("P-256, all threads", count: 1600 * threads, clock: wall_nanoseconds) {
      try check(verification_run_threads(p256, Int32(threads), 1600))
    }
  }

  private func check(_ succeeded: Int32) throws {
    guard succeeded == 1 else { throw Unavailable() }
  }
}
