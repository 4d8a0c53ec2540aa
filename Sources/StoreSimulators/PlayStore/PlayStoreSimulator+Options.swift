public import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PlayStoreSimulator {
  /// The options of a new simulator.
  ///
  /// Making a key takes a moment, so tests may share accounts and keys.
  public struct Options: Sendable {
    /// The other apps of the developer, which have no purchases.
    public var otherPackageNames: [String] = []
    /// The account that may ask; nil for a new one.
    public var serviceAccount: TestServiceAccount?
    /// The address and the identities of pushes.
    public var pushes = PlayPushConfiguration()
    /// The key that signs pushes at first; nil for a new one.
    public var pushKey: TestPushKey?
    /// The clock; by default a new one.
    public var clock = ManualClock()
    /// The date at which the clock stands at zero.
    public var start = Date(timeIntervalSince1970: 1_700_000_000)
    /// The clock of slow answers; nil for ``clock``.
    public var delays: (any Clock<Duration>)?
    /// Returns the date by which signatures of both sides count: those of requests for access tokens,
    /// and those of pushes; nil for the simulator's date.
    ///
    /// A program that tries a server on real time passes the machine's.
    public var signingDate: (@Sendable () -> Date)?

    /// Creates the default options.
    public init() {}
  }
}
