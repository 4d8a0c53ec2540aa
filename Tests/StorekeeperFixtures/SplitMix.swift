import Foundation

/// The generator of random test data: SplitMix64, which is small and repeatable.
public struct SplitMix: RandomNumberGenerator {
  /// The seed of this run; `STOREKEEPER_SEED` in the environment repeats a run.
  public static let seed: UInt64 =
    ProcessInfo.processInfo.environment["STOREKEEPER_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0 ... .max)

  private var state: UInt64

  /// Creates a generator from a seed.
  public init(state: UInt64 = Self.seed) { self.state = state }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
