public import ReceiptVerifier
public import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreSimulator {
  /// The options of a new simulator, and of a ``TestDeveloper``.
  ///
  /// Making an authority takes a moment, so tests may share it.
  public struct Options: Sendable {
    /// The secret that requests have to contain; nil accepts any.
    public var sharedSecret: AppSharedSecret? = AppSharedSecret("0123456789abcdef0123456789abcdef")
    /// The authority that signs the receipts; nil for a new one.
    public var authority: TestAuthority?
    /// The authority that signs notifications and transactions; nil for a new one with a root of its
    /// own, as Apple has two.
    public var signedDataAuthority: TestAuthority?
    /// The key for the server APIs; nil for a new one.
    public var serverAPIKey: TestServerAPIKey?
    /// The clock; by default a new one.
    public var clock = ManualClock()
    /// The date at which the clock stands at zero.
    public var start = Date(timeIntervalSince1970: 1_700_000_000)
    /// The number before that of the first transaction; nil for one like Apple's.
    ///
    /// Simulators that share a server need distinct numbers.
    public var lastTransactionID: Int?

    /// Creates the default options.
    public init() {}
  }
}
