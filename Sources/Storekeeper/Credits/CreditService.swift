public import CreditPolicy
public import JWSVerifier
internal import ReceiptModels
internal import PurchaseStorage

/// A service that gives credits for purchases in the App Store, once each, and takes them back after
/// refunds.
///
/// ```swift
/// let credits = try CreditService(shop, products: products)
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
public struct CreditService: PurchaseService {
  /// The parts that the service shares with others; its accounts may know app account tokens and e-mail
  /// addresses.
  public let context: PurchaseContext
  /// The verifier of clients' signed transactions.
  public let verifier: SignedDataVerifier
  /// The settings.
  public let options: CreditOptions

  private let currentProducts: @Sendable () -> CreditProducts

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - context: The parts that the service shares with others, with a verifier.
  ///   - options: The settings.
  ///   - products: Returns the products in use at the moment of a request, so that they can be replaced
  ///     without a restart.
  /// - Throws: ``ServiceFailure`` if the database has no credits, or the context no verifier.
  public init(
    _ context: PurchaseContext, options: CreditOptions = CreditOptions(),
    products: @escaping @Sendable () -> CreditProducts
  ) throws(ServiceFailure) {
    try context.require(.credits)
    self.context = context
    verifier = try context.requiredVerifier()
    currentProducts = products
    self.options = options
  }

  /// Creates a service with products that stay the same.
  ///
  /// - Throws: ``ServiceFailure`` if the database has no credits, or the context no verifier.
  public init(
    _ context: PurchaseContext, products: CreditProducts, options: CreditOptions = CreditOptions()
  ) throws(ServiceFailure) {
    try self.init(context, options: options) { products }
  }

  /// The products in use now.
  public var products: CreditProducts { currentProducts() }
}
