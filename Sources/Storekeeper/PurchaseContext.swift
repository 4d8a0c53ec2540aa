public import JWSVerifier
public import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The parts that the services of a host share.
///
/// ```swift
/// let shop = PurchaseContext(
///   store: try await SQLiteStore(path: "purchases.sqlite"), accounts: users, verifier: verifier)
///
/// let subscriptions = try SubscriptionService(
///   shop, products: ["reader.monthly": Plan("standard", every: .month)])
/// ```
public struct PurchaseContext: Sendable {
  /// The store, which tells the ``telemetry``, if there is one.
  public var store: any PurchaseStore {
    didSet { store = store.observed(by: telemetry) }
  }
  /// The host's accounts, which may know app account tokens, second identifiers and e-mail addresses.
  ///
  /// With ``/PurchaseStorage/UnlistedAccounts`` none of these are known, and each identifier is an account.
  public var accounts: any AccountDirectory
  /// The verifier of signed transactions and notifications; nil to accept none.
  ///
  /// It should accept both Production and Sandbox; the services decide what counts.
  public var verifier: SignedDataVerifier?
  /// The sources of the present state of a purchase, in the order in which they are asked.
  public var sources: [any PurchaseSource]
  /// Returns the present moment; services call it once for each request.
  public var now: @Sendable () -> Date
  /// Receives problems, for the host's log; ``tell(_:)`` tells the telemetry of them too.
  public var report: @Sendable (ServiceIncident) -> Void
  /// The port that figures and traces go to; nil, as by default, to measure nothing.
  ///
  /// Set it before services are made of the context. Sources that read a store of their own are given one that is
  /// `observed(by:)`.
  public var telemetry: (any Telemetry)? {
    didSet { store = store.observed(by: telemetry) }
  }

  /// Creates a context.
  public init(
    store: any PurchaseStore, accounts: any AccountDirectory,
    verifier: SignedDataVerifier? = nil, sources: [any PurchaseSource] = [],
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) {
    self.store = store
    self.accounts = accounts
    self.verifier = verifier
    self.sources = sources
    self.now = now
    self.report = report
  }

  /// Reports a problem, and tells the telemetry of its kind.
  ///
  /// Workers that take a `report` of their own get this: `report: shop.tell`.
  public func tell(_ incident: ServiceIncident) {
    telemetry?.noted(.incident(incident.name))
    report(incident)
  }
}

/// A service that acts on the parts of a ``PurchaseContext``.
public protocol PurchaseService: Sendable {
  /// The parts that the service shares with others.
  var context: PurchaseContext { get }
}

extension PurchaseService {
  public var store: any PurchaseStore { context.store }
  public var accounts: any AccountDirectory { context.accounts }

  func now() -> Date { context.now() }

  package func report(_ incident: ServiceIncident) { context.tell(incident) }
}

/// The reason why a service can't be made of a context.
@nonexhaustive
public enum ServiceFailure: Error, Hashable, Sendable {
  /// The database has not the tables that the service needs.
  case capabilityMissing(StoreCapability)
  /// The context has no verifier of signed data, which the service needs.
  case verifierMissing
}

extension ServiceFailure: CustomStringConvertible {
  /// A description that says what to change.
  public var description: String {
    switch self {
    case .capabilityMissing(let capability): "\(StorageFailure.capabilityMissing(capability))"
    case .verifierMissing: "the context has no verifier of signed data: pass one to PurchaseContext"
    }
  }
}

extension PurchaseContext {
  /// Returns the context with another verifier.
  public func with(verifier: SignedDataVerifier?) -> PurchaseContext {
    var context = self
    context.verifier = verifier
    return context
  }

  func require(_ capability: StoreCapability) throws(ServiceFailure) {
    guard store.capabilities.contains(capability) else { throw .capabilityMissing(capability) }
  }

  func requiredVerifier() throws(ServiceFailure) -> SignedDataVerifier {
    guard let verifier else { throw .verifierMissing }
    return verifier
  }
}
