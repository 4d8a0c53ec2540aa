public import AppStoreServerAPI
internal import PurchaseStorage
internal import ReceiptModels
public import Storekeeper

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The desk of a host's support: what a customer has and why, and what can be done about it.
///
/// ```swift
/// var desk = Desk(shop)
/// desk.subscriptions = subscriptions
/// desk.credits = credits
/// let pages = DeskAPI(desk, access: access)
/// ```
///
/// Each service shows what it knows; one that is nil is left out. The pages decide nothing themselves: they ask the
/// services and the policies, and say which fact and which rule made the answer.
public struct Desk: Sendable {
  /// The parts that the services share: the store, the accounts, and the clock.
  public let context: PurchaseContext
  public var subscriptions: SubscriptionService?
  public var credits: CreditService?
  public var entitlements: EntitlementService?
  public var orders: OrderService?
  /// The eraser of accounts; nil, as by default, to offer no erasure.
  public var eraser: AccountEraser?
  /// The delivery that sends support's answers to the stores' questions about refunds; nil, as by default, to offer none.
  public var refundAnswers: ConsumptionDelivery?
  /// The clients that are asked about an order number of Apple's; none by default.
  public var appStores: [AppStoreServerClient] = []
  /// Returns the sources that failed at their last question, with the moment since when; nil, as by default, where the host
  /// does not follow them.
  public var failingSources: (@Sendable () async -> [FailingSource])?
  /// The address below which the rules' pages are, such as that of `Documentation/rules` in a repository; nil to name
  /// the rules without links.
  public var rulesAddress: String?

  /// Creates a desk without services.
  public init(_ context: PurchaseContext) { self.context = context }

  func now() -> Date { context.now() }

  /// Reads rows in one unit of work.
  func read<Result: Sendable>(_ body: @escaping UnitOfWorkBody<Result>) async throws -> Result {
    try await context.store.read(body)
  }
}

/// A store's service that failed at its last question.
public struct FailingSource: Hashable, Sendable {
  /// The vendor, the app and the environment, as far as they are known.
  public var scope: PurchaseScope
  /// The moment of its first failure since its last answer.
  public var since: Date

  /// Creates a source that fails.
  public init(_ scope: PurchaseScope, since: Date) {
    self.scope = scope
    self.since = since
  }
}
