public import CreditPolicy
public import JWSVerifier
public import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A service that gives credits for purchases in the App Store, once each, and takes them back after
/// refunds.
///
/// ```swift
/// let credits = try CreditService(
///   store: store.forCredits, accounts: users, verifier: verifier, products: products)
///
/// let grant = try await credits.grant(transaction, of: "welcome_pack", to: "alice")
/// try await credits.book(
///   LedgerBooking(
///     userID: "alice", eventID: "render:8841", changeType: .init(rawValue: "spending"),
///     bizType: "render", bizID: "8841", amount: -5))
/// ```
///
/// Each request is one transaction of the store, so it takes effect completely or not at all. Any
/// number of requests, services and processes may share a store. The host checks whether the caller is
/// authorized. Refunds arrive through ``NotificationService``.
///
/// Source: credit rules.
public struct CreditService: Sendable {
  /// The store of all records.
  public let store: any CreditStore
  /// The host's accounts, which may know app account tokens and e-mail addresses.
  public let accounts: any AccountDirectory
  /// The verifier of clients' signed transactions.
  public let verifier: SignedDataVerifier
  /// The settings.
  public let options: CreditOptions

  private let currentProducts: @Sendable () -> CreditProducts
  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - store: The store of all records.
  ///   - accounts: The host's accounts.
  ///   - verifier: The verifier of clients' signed transactions, which should accept both Production
  ///     and Sandbox.
  ///   - products: Returns the products in use at the moment of a request, so that they can be replaced
  ///     without a restart.
  ///   - options: The settings.
  ///   - now: Returns the present moment.
  ///   - report: Receives problems for the host's log; by default
  ///     ``ServiceIncident/toStandardError``.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init(
    store: any CreditStore, accounts: any AccountDirectory, verifier: SignedDataVerifier,
    products: @escaping @Sendable () -> CreditProducts, options: CreditOptions = CreditOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) throws(StorageFailure) {
    try store.require(.credits)
    self.store = store
    self.accounts = accounts
    self.verifier = verifier
    currentProducts = products
    self.options = options
    self.now = now
    self.report = report
  }

  /// Creates a service with products that stay the same.
  /// - Throws: `StorageFailure.capabilityMissing` if the database has not what the service needs.
  public init(
    store: any CreditStore, accounts: any AccountDirectory, verifier: SignedDataVerifier,
    products: CreditProducts, options: CreditOptions = CreditOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) throws(StorageFailure) {
    try self.init(
      store: store, accounts: accounts, verifier: verifier, products: { products },
      options: options, now: now, report: report)
  }

  /// The products in use now.
  public var products: CreditProducts { currentProducts() }
}
