internal import EntitlementPolicy
public import GooglePlayVerifier
public import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A handler of the outbox that acknowledges purchases and consumes packs of credits at Google, which refunds
/// purchases that nobody acknowledges within three days.
///
/// An ``OrderService`` writes a message for each purchase that a user claimed, or only for those in use
/// (``OrderOptions/acknowledgement``), an ``EntitlementService`` one for each that a user uploaded, and a
/// ``CreditService`` one for each grant. To repeat one does no harm. Source: entitlement rules, sections 7 and 13; credit
/// rules, section 11; Google Play rules.
public struct AcknowledgementDelivery: OutboxHandler {
  public let play: GooglePlayClient

  private let store: any PurchaseStore
  private let now: @Sendable () -> Date

  /// The time that Google waits: three days.
  static let period = Duration.days(3)
  /// The time that one message may take, so that others do not wait long.
  private static let patience = Duration.seconds(10)

  /// Creates a handler for the store with the purchases.
  public init(
    _ play: GooglePlayClient, store: any PurchaseStore,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.play = play
    self.store = store
    self.now = now
  }

  public var kinds: Set<OutboxMessage.Kind>? { [.googleAcknowledgement, .googleConsumption] }

  /// Acknowledges a purchase, or consumes a product.
  ///
  /// - Throws: `GooglePlayFailure` if Google took no answer, so that the message is delivered again later, or an
  ///   error of the store.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    if message.kind == .googleConsumption { return try await consume(message) }
    let now = now()
    guard message.kind == .googleAcknowledgement, let identifier = message.reference,
      now < message.deadline ?? .distantFuture,
      let token = try await token(
        of: PurchaseKey(vendor: .google, environment: .production, identifier: identifier))
    else { return }
    do throws(GooglePlayFailure) {
      try await acknowledgeSubscription(token, at: now)
    } catch {
      switch error.kind {
      case .gone: return
      case .invalid: try await acknowledgeProduct(token, unless: error)
      default: throw error
      }
    }
  }

  private func acknowledgeSubscription(
    _ token: String, at now: Date
  ) async throws(GooglePlayFailure) {
    // The level may have another product by now.
    let purchase = try await play.subscription(token: token, patience: Self.patience)
    guard purchase.acknowledgementState == .pending,
      let productID = purchase.decidingLineItem(at: now)?.productID
    else { return }
    try await play.acknowledgeSubscription(productID, token: token, patience: Self.patience)
  }

  /// Acknowledges one-time products, unless the token is of none either.
  private func acknowledgeProduct(
    _ token: String, unless failure: GooglePlayFailure
  ) async throws(GooglePlayFailure) {
    let purchase: ProductPurchaseV2
    do throws(GooglePlayFailure) {
      purchase = try await play.product(token: token, patience: Self.patience)
    } catch {
      guard error.kind != .gone else { return }
      throw error.kind == .invalid ? failure : error
    }
    guard purchase.purchaseState == .purchased, purchase.acknowledgementState == .pending,
      let productID = purchase.productLineItems.first?.productID
    else { return }
    try await play.acknowledgeProduct(productID, token: token, patience: Self.patience)
  }

  /// Consumes the product of a transaction, unless somebody did.
  private func consume(_ message: OutboxMessage) async throws {
    guard let id = message.reference, let (token, productID) = try await product(id, message)
    else { return }
    do throws(GooglePlayFailure) {
      let purchase = try await play.product(token: token, patience: Self.patience)
      let item = purchase.productLineItems.last { $0.productID.isSameText(as: productID) }
      guard purchase.purchaseState == .purchased,
        item?.productOfferDetails?.consumptionState != .consumed
      else { return }
      try await play.consumeProduct(productID, token: token, patience: Self.patience)
    } catch {
      guard error.kind != .gone else { return }
      throw error
    }
  }

  /// Returns the token and the product of a transaction; nil if they are not stored.
  private func product(
    _ id: String, _ message: OutboxMessage
  ) async throws -> (token: String, productID: String)? {
    try await store.read { records in
      for environment in [AppStoreEnvironment.production, .sandbox] {
        let original = message.originalTransactionID
        let stored = try await records.purchases.transactions(
          of: [original], environment: environment)
        guard let product = stored.first(where: { $0.transactionID.isSameText(as: id) }),
          let kept = try await records.purchases.receipt(of: original, environment: environment)
        else { continue }
        return (kept.receipt, product.productID)
      }
      return nil
    }
  }

  /// Returns the token of a purchase: of the subscription that rests on it, or as it was kept with the claim.
  private func token(of purchase: PurchaseKey) async throws -> String? {
    try await store.read { records in
      if records.orders != nil, let row = try await records.claimant(of: purchase).1,
        row.purchaseKey == purchase
      {
        return row.receiptData
      }
      guard let id = purchase.originalTransactionID else { return nil }
      for environment in [AppStoreEnvironment.production, .sandbox] {
        let kept = try await records.purchases.receipt(of: id, environment: environment)
        if let kept { return kept.receipt }
      }
      return nil
    }
  }
}

extension UnitOfWork {
  /// Has a purchase of Google acknowledged whose token is kept.
  func requestAcknowledgement(of purchase: PurchaseKey, at now: Date) async throws {
    guard purchase.vendor == .google, let id = purchase.originalTransactionID else { return }
    try await outbox.add(
      OutboxMessage(
        kind: .googleAcknowledgement, originalTransactionID: id, reference: purchase.identifier,
        deadline: now + AcknowledgementDelivery.period.timeInterval), now: now)
  }
}
