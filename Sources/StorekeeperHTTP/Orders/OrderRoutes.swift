internal import OrderPolicy
internal import HTTPMessages
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

typealias OrderCall = Call<OrderAPI>
typealias OrderOperation = Operation<OrderAPI>

/// The callers to whom an operation on orders is open.
enum OrderAccess: Hashable, Sendable {
  /// A user or a trusted service.
  case caller
  case user
  /// Google, whose token is checked with the body.
  case google
}

/// The routes of orders.
///
/// Source: entitlement rules, section 12.
enum OrderRoutes {
  static let all: [Route<OrderAPI>] = [
    Route(path: "/subscription/products", operations: [products]),
    Route(path: "/subscription/order", operations: [order]),
    Route(path: "/subscription/current", operations: [current]),
    Route(path: "/subscription/token-refresh", operations: [tokenRefresh]),
  ]

  /// The route for Google.
  ///
  /// Pub/Sub takes 204 for an acknowledgement, and pushes again after any failure.
  static func notifications(_ service: PlayNotificationService) -> Route<OrderAPI> {
    Route(
      path: "/webhook/google",
      operations: [
        OrderOperation(method: .post, access: .google, readsBody: true) { _, call in
          try await service.receive(
            body: call.request.body, authorization: call.request.headers[.authorization])
          return .noContent
        }
      ])
  }

  private static let products = OrderOperation(method: .get, access: .caller) { api, _ in
    .json(bytes: try await api.orders.levels().json.serialized)
  }

  private static let order = OrderOperation(
    method: .post, access: .user, readsBody: true
  ) { api, call in
    let body = try RequestFields(parsing: call.request.body, within: .knownMembers)
    let vendor = Vendor(rawValue: try body.requiredText("vendor"))
    // An unknown vendor is the first fault, also without evidence.
    guard api.orders.vendors.contains(where: { $0.vendor == vendor }) else {
      throw FieldRefusal.invalid("vendor")
    }
    let order = SubscriptionOrder(
      userID: try call.userID(), vendor: vendor, receiptData: try body.requiredText("receiptData"))
    do {
      return .json(bytes: try await api.orders.order(order).json.serialized)
    } catch StorageFailure.invalidValue(let field) where field.origin == .evidence {
      // A text that the vendor signed or said, but that no row can hold.
      throw OrderFailure.refused(.invalid)
    }
  }

  private static let current = OrderOperation(method: .get, access: .user) { api, call in
    .present(try await api.orders.subscriptionForProfile(of: call.userID()))
  }

  private static let tokenRefresh = OrderOperation(method: .post, access: .user) { api, call in
    .present(await api.orders.validateOnTokenRefresh(of: try call.userID()))
  }
}

extension HTTPResponseMessage {
  /// The subscription of a user after a check, which both hooks make.
  fileprivate static func present(_ subscription: UserSubscription?) -> HTTPResponseMessage {
    .json(
      bytes: OrderedJSON.object([
        .init("subscription", subscription?.json ?? .value(.null))
      ]).serialized)
  }
}

extension OrderCall {
  /// The user that makes the request.
  ///
  /// - Throws: ``RequestRefusal/forbidden`` for a service.
  fileprivate func userID() throws(RequestRefusal) -> AccountID {
    guard case .user(let id)? = user else { throw .forbidden }
    return id
  }
}
