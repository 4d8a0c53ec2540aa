internal import EntitlementPolicy
public import GooglePlayVerifier
public import PurchaseStorage
public import ReceiptModels

/// A handler of the outbox that acknowledges purchases at Google, which refunds those that nobody
/// acknowledges within three days.
///
/// An ``OrderService`` writes a message for each purchase that it stored. To repeat one does no harm. A purchase
/// that another one has replaced meanwhile is not acknowledged.
///
/// Source: entitlement rules, section 13; Google Play rules.
public struct AcknowledgementDelivery: OutboxHandler {
  /// The client of the Google Play Developer API.
  public let play: GooglePlayClient
  /// The handler of all other messages; nil to drop them.
  public let otherMessages: (any OutboxHandler)?

  private let store: any OrderStore

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - play: The client of the Google Play Developer API.
  ///   - store: The store with the orders.
  ///   - otherMessages: The handler of all other messages; nil to drop them.
  public init(
    _ play: GooglePlayClient, store: any OrderStore, otherMessages: (any OutboxHandler)? = nil
  ) {
    self.play = play
    self.store = store
    self.otherMessages = otherMessages
  }

  /// Acknowledges a purchase, or passes another message on.
  ///
  /// - Throws: `GooglePlayFailure` if Google took no answer, so that the message is delivered again later; an
  ///   error of the store, or of the other handler.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    guard message.kind == .acknowledgement else {
      try await otherMessages?.deliver(message, number: number)
      return
    }
    guard let purchaseKey = message.reference,
      let purchase = try await purchase(with: purchaseKey)
    else { return }
    do throws(GooglePlayFailure) {
      try await play.acknowledgeSubscription(purchase.productID, token: purchase.token)
    } catch {
      // A purchase that is over or unknown cannot be acknowledged at any later time.
      guard error.isIncidental else { return }
      throw error
    }
  }

  private func purchase(with key: String) async throws -> (productID: String, token: String)? {
    try await store.read { records in
      guard let owner = try await records.subscriptionClaims.owners(of: [key], from: .google)[0],
        let row = try await records.orderedSubscriptions.find(owner),
        row.vendor == .google, row.purchaseKey == key,
        let productID = try await records.levels.all().level(named: row.levelName)?.googleProductID
      else { return nil }
      return (productID, row.receiptData)
    }
  }
}
