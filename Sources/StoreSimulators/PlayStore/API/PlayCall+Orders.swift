internal import GooglePlayVerifier
internal import HTTPMessages
internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The calls on orders.
///
/// Source: Google Play Developer API v3, orders.
extension PlayCall {
  /// The number of orders of one request.
  private static let orderLimit = 1000
  /// The days after which Google refunds no order: three years.
  private static let refundDays = 3 * 365.0

  func order(_ world: PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    .google(try answer(route.id, world))
  }

  func orders(_ world: PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    let ids = target.values("orderIds")
    guard (1...Self.orderLimit).contains(ids.count), Set(ids).count == ids.count else {
      throw .invalid("orderIds")
    }
    var orders: [JSONValue] = []
    for id in ids { orders.append(.object(try answer(id, world))) }
    return .google(["orders": .array(orders)])
  }

  func refundOrder(_ world: inout PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    let (token, order) = try found(route.id, world)
    let revokes = target.value("revoke")
    guard revokes == nil || revokes == "true" || revokes == "false" else {
      throw .invalid("revoke")
    }
    let oldest = now.addingTimeInterval(-Self.refundDays * 86_400)
    guard order.paid != nil, order.refunded == nil, order.date >= oldest else { throw .wrongState }
    if revokes == "true" {
      world.void(token, order: order.id, source: .developer, reason: .other, at: now)
    } else {
      world.alter(token) { $0.orders.refund(order.id, at: now) }
      world.alter(product: token) { $0.orders.refund(order.id, at: now) }
    }
    return empty
  }

  func reviewRefund(_ world: inout PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    let (_, order) = try found(route.id, world)
    let request = try checkedBody(as: OrdersReviewRefundRequest.self)
    guard var review = world.refundReviews[request.pendingRefundToken], review.orderID == order.id
    else { throw .invalid("pendingRefundToken") }
    review.answers += 1
    // The first answer in time is the one that counts.
    let end = review.asked.addingTimeInterval(PlayRefundReview.period.timeInterval)
    let isFirst = review.answer == nil && now < end
    if isFirst {
      review.answer = request
      review.answered = now
    }
    world.refundReviews[request.pendingRefundToken] = review
    guard isFirst else { throw .wrongState }
    return empty
  }

  private func found(
    _ id: String, _ world: PlayWorld
  ) throws(GoogleAPIError) -> (token: String, order: PlayOrders.Order) {
    guard !isOtherPackage, let found = world.order(id) else { throw .unknownOrder }
    return found
  }

  private func answer(_ id: String, _ world: PlayWorld) throws(GoogleAPIError) -> [String:
    JSONValue]
  {
    let (token, order) = try found(id, world)
    let (subscription, product) = (world.subscription(token), world.product(token))
    return OrderAnswer(
      token: token, order: order,
      regionCode: subscription?.terms.regionCode ?? product?.terms.regionCode ?? "US",
      isCanceled: subscription?.phase == .pendingCanceled || product?.phase == .canceled,
      fractionDigits: settings.fractionDigits
    ).members
  }
}
