internal import JSONValues

extension GooglePlayClient {
  /// The maximum number of orders of one call.
  public static let orderLimit = 1000

  /// Reads an order, `orders.get`.
  public func order(
    _ orderID: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> PlayOrder {
    try await read(PlayRequest(.getOrder, get: orderPath(orderID)), patience: patience)
  }

  /// Reads 1 to 1000 orders at once, `orders.batchget`.
  ///
  /// Google refuses all of them if it does not know one, or if one is of another app. Orders have about 2 kB: for
  /// many of them the configuration has to allow larger answers.
  public func orders(
    _ orderIDs: [String], patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> [PlayOrder] {
    do throws(InvalidCall) { try Self.check(orderIDs) } catch { throw .invalidCall(error) }
    let answer: BatchGetOrdersResponse = try await read(
      PlayRequest(
        .batchGetOrders, get: "orders:batchGet",
        query: orderIDs.map { QueryItem(name: "orderIds", value: $0) }), patience: patience)
    return answer.orders
  }

  /// Gives the money of an order back, `orders.refund`.
  ///
  /// Google refuses an order of more than three years ago. Where the access ends, so do the renewals; pieces that
  /// were consumed are the developer's to take back. After a failure in which Google may have acted the request is
  /// not repeated: read the order, whose state tells.
  public func refundOrder(
    _ orderID: String, access: RefundedAccess, patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    let query = [QueryItem(name: "revoke", value: String(access == .revoked))]
    try await send(
      PlayRequest(.refundOrder, post: orderPath(orderID) + ":refund", query: query),
      patience: patience)
  }

  /// Answers Google's question about a chargeback, `orders.reviewrefund`.
  ///
  /// Google asks with a `pendingRefundReviewNotification`, and waits 24 hours. After a failure in which Google may
  /// have acted the request is not repeated, as Google has no call that tells.
  public func reviewRefund(
    of orderID: String, _ review: OrdersReviewRefundRequest, patience: Duration? = nil
  ) async throws(GooglePlayFailure) {
    try await send(
      PlayRequest(
        .reviewRefund, post: orderPath(orderID) + ":reviewrefund", body: review.checked()),
      patience: patience)
  }

  private func orderPath(_ orderID: String) throws(GooglePlayFailure) -> String {
    "orders/" + (try part(orderID, .orderID))
  }

  private static func check(_ orderIDs: [String]) throws(InvalidCall) {
    guard (1...orderLimit).contains(orderIDs.count) else {
      throw .outOfRange(.orderIDs, allowed: 1...orderLimit, found: orderIDs.count)
    }
    var seen: Set<String> = []
    for orderID in orderIDs {
      _ = try PathPart.encoded(orderID, .orderID)
      guard seen.insert(orderID).inserted else { throw .repeated(.orderIDs) }
    }
  }

  /// The access to a product whose order is refunded.
  public enum RefundedAccess: Hashable, Sendable {
    /// The user loses the product at once.
    case revoked
    /// The user keeps the product.
    case kept
  }
}
