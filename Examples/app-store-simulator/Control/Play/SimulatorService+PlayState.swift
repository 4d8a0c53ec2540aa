import HTTPMessages
import JSONValues
import StoreSimulators

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The state of the Play store as JSON.

extension SimulatorService {
  func playState() async throws -> HTTPResponseMessage {
    let play = try playDesk
    let now = await simulation.now
    let configuration = play.configuration
    return .json([
      "now": .string(now.text),
      "packageName": .string(configuration.packageName),
      "serviceAccount": .string(play.store.serviceAccount.clientEmail),
      "webhook": await play.url.map(JSONValue.string) ?? .null,
      "audience": .string(
        configuration.audience ?? play.store.pushes.url),
      "pushEmail": .string(configuration.pushEmail),
      "pushKeys": .array(play.store.publishedPushKeyIDs.map(JSONValue.string)),
      "products": .array(configuration.products.map(Self.json)),
      "purchases": .array(play.store.purchases.reversed().map(Self.json)),
      "notifications": .array(await play.deliveries.reversed().map(Self.json)),
    ])
  }

  private static func json(_ product: PlayProduct) -> JSONValue {
    .object([
      "id": .string(product.id),
      "basePlans": .array(
        product.basePlans.map { plan in
          .object([
            "id": .string(plan.id), "prepaid": .boolean(plan.kind == .prepaid),
            "days": .integer(Int(plan.period.components.seconds / 86_400)),
          ])
        }),
    ])
  }

  static func json(_ purchase: TestPlayPurchase) -> JSONValue {
    .object([
      "purchaseToken": .string(purchase.purchaseToken), "orderId": .string(purchase.orderID),
      "customer": .string(purchase.customer), "product": .string(purchase.productID),
      "basePlan": purchase.basePlan.map(JSONValue.string) ?? .null,
      "state": .string(purchase.state),
      "expires": purchase.expiry.map { .string($0.text) } ?? .null,
      "acknowledged": .boolean(purchase.isAcknowledged),
    ])
  }

  static func json(_ delivery: PlayDelivery) -> JSONValue {
    let notification = delivery.notification
    let type = notification.subscriptionType?.rawValue ?? notification.oneTimeProductType?.rawValue
    return .object([
      "number": .integer(notification.number), "messageId": .string(notification.messageID),
      "time": .string(notification.date.text), "kind": .string(notification.kind),
      "type": type.map(JSONValue.integer) ?? .null,
      "purchaseToken": notification.purchaseToken.map(JSONValue.string) ?? .null,
      "orderId": notification.orderID.map(JSONValue.string) ?? .null,
      "state": .string(delivery.state.rawValue), "attemptCount": .integer(delivery.attemptCount),
      "attempts": .array(delivery.attempts.map(json)),
    ])
  }

  static func json(_ attempt: Delivery.Attempt) -> JSONValue {
    .object([
      "status": attempt.status.map(JSONValue.integer) ?? .null, "text": .string(attempt.text),
    ])
  }
}
