internal import GooglePlayVerifier
internal import HTTPMessages
internal import JSONValues
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

typealias OrderCall = Call<OrderAPI>
typealias OrderRoute = Route<OrderAPI>

extension OrderAPI: APIShell {
  typealias Terms = Void

  /// Returns the routes.
  ///
  /// Pub/Sub takes 204 for an acknowledgement, and pushes again after any failure. Source: entitlement rules, section
  /// 12.
  static func table(
    _ notifications: NotificationService?, _ playNotifications: PlayNotificationService?
  ) -> [OrderRoute] {
    var routes = [
      OrderRoute(.get, "/subscription/products", .caller) { try await $0.products($1) },
      OrderRoute(.post, "/subscription/order", .user, readsBody: true) {
        try await $0.order($1)
      },
      OrderRoute(.get, "/subscription/current", .user) { try await $0.current($1) },
      OrderRoute(.post, "/subscription/token-refresh", .user) { try await $0.tokenRefresh($1) },
    ]
    if let notifications { routes.append(.appleNotifications(notifications)) }
    if let playNotifications {
      routes.append(.playNotifications(playNotifications, "/webhook/google"))
    }
    return routes
  }

  func admit(_ call: inout OrderCall, to route: OrderRoute) async throws {
    call.caller = try await authenticators.caller(of: call.request)
  }

  func bodyLimit(of route: OrderRoute) -> Int {
    route.access == .vendor ? PubSubPush.maximumSize : Self.bodyLimit
  }
}

// MARK: Handlers

extension OrderAPI {
  private func products(_ call: OrderCall) async throws -> HTTPResponseMessage {
    .json(bytes: try await orders.levels().json.serialized)
  }

  private func order(_ call: OrderCall) async throws -> HTTPResponseMessage {
    let body = try RequestFields(parsing: call.request.body)
    let vendor = Vendor(rawValue: try body.requiredText("vendor"))
    // An unknown vendor is the first fault, also without evidence.
    guard orders.vendors.contains(where: { $0.vendor == vendor }) else {
      throw FieldRefusal.invalid("vendor")
    }
    let order = SubscriptionOrder(
      userID: try call.userID(), vendor: vendor, receiptData: try body.requiredText("receiptData"))
    do {
      return .json(bytes: try await orders.order(order).json.serialized)
    } catch StorageFailure.invalidValue(let field) where field.origin == .evidence {
      // A text that the vendor signed or said, but that no row can hold.
      throw OrderFailure.refused(.invalid)
    }
  }

  private func current(_ call: OrderCall) async throws -> HTTPResponseMessage {
    let answer = HTTPResponseMessage.present(
      try await orders.subscriptionForProfile(of: call.userID()))
    return try EntityTag(of: answer.body).response(to: call.request, kept: .nowhere, answer.body)
  }

  private func tokenRefresh(_ call: OrderCall) async throws -> HTTPResponseMessage {
    .present(await orders.validateOnTokenRefresh(of: try call.userID()))
  }
}

extension HTTPResponseMessage {
  fileprivate static func present(_ subscription: UserSubscription?) -> HTTPResponseMessage {
    .json(
      bytes: OrderedJSON.object([
        .init("subscription", subscription?.json ?? .value(.null))
      ]).serialized)
  }
}
