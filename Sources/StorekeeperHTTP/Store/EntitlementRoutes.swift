internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import Storekeeper

/// The routes of entitlements.
///
/// Source: entitlement rules, section 10.
enum EntitlementRoutes {
  /// The routes for users and trusted services.
  static let all: [Route<EntitlementAPI>] = [
    Route(path: "/store/receipts/validate", operations: [validate]),
    Route(path: "/store/users/{userId}/products", operations: [products]),
    Route(path: "/store/users/{userId}/acquire", operations: [acquire]),
    Route(path: "/store/users/{userId}/acquire-all", operations: [acquireAll]),
    Route(path: "/store/shared/{bundleId}/subscriber", operations: [subscriber]),
    Route(path: "/store/products", operations: [catalog]),
    Route(path: "/store/users/{userId}/purchase-route", operations: [purchaseRoute]),
    Route(path: "/store/users/{userId}/restore", operations: [restore]),
    Route(path: "/store/users/{userId}/dissociate", operations: [dissociate]),
  ]

  /// The route for Apple.
  static func notifications(_ service: NotificationService) -> Route<EntitlementAPI> {
    Route(
      path: "/webhook/apple",
      operations: [
        EntitlementOperation(method: .post, access: .apple, readsBody: true) { _, call in
          try await service.receive(body: call.request.body)
          return HTTPResponseMessage(status: .ok)
        }
      ])
  }

  private static let validate = EntitlementOperation(
    method: .post, access: .caller, readsBody: true
  ) { api, call in
    let body = try RequestFields(parsing: call.request.body, within: .knownMembers)
    let bundleID = try api.bundleID(try body.nonEmptyText("bundleId"))
    let userID = try body.optionalUserID("userId")
    if let userID { try await call.require(userID, in: bundleID, of: api) }
    let evidence = UploadedEvidence(
      receipt: try body.nonEmptyText("receiptData"),
      signedTransactions: try body.texts(
        "signedTransactions", limit: EntitlementService.maximumTransactionCount))
    let answer = try await api.entitlements.validate(evidence, for: userID, in: bundleID)
    return .json(bytes: answer.json.serialized)
  }

  private static let products = EntitlementOperation(
    method: .get, access: .caller
  ) { api, call in
    let (userID, bundleID) = try await call.question(of: api)
    let entitlements = try await api.entitlements.products(of: userID, in: bundleID)
    let tag = try EntityTag(of: entitlements.products(of: userID, evaluated: false))
    return tag.response(to: call.request) { entitlements.products(of: userID, evaluated: true) }
  }

  private static let acquire = EntitlementOperation(
    method: .post, access: .caller, readsBody: true
  ) { api, call in
    let (body, userID, bundleID) = try await call.change(of: api)
    let productID = try body.requiredText("productId")
    let answer = try await api.entitlements.acquire(productID, for: userID, in: bundleID)
    return .json(bytes: answer.json(about: productID).serialized)
  }

  private static let acquireAll = EntitlementOperation(
    method: .post, access: .caller, readsBody: true
  ) { api, call in
    let (_, userID, bundleID) = try await call.change(of: api)
    let answer = try await api.entitlements.acquireAll(for: userID, in: bundleID)
    return .json(bytes: answer.jsonOfAll.serialized)
  }

  private static let catalog = EntitlementOperation(method: .get, access: .caller) { api, call in
    let bundleID = try api.bundleID(try call.query("bundleId"))
    guard let app = api.entitlements.apps[bundleID] else { throw EntitlementFailure.unknownApp }
    let content = app.catalog.json(of: app.bundleID)
    return try EntityTag(of: content).response(to: call.request) { content }
  }

  private static let purchaseRoute = EntitlementOperation(
    method: .get, access: .caller
  ) { api, call in
    let (userID, bundleID) = try await call.question(of: api)
    guard let productID = try call.query("productId") else {
      throw FieldRefusal.missing("productId")
    }
    let entitlements = try await api.entitlements.products(of: userID, in: bundleID)
    return .json(
      bytes: try entitlements.json(ofRouteTo: productID, for: userID).serialized)
  }

  private static let restore = EntitlementOperation(
    method: .post, access: .caller, readsBody: true
  ) { api, call in
    let (_, userID, bundleID) = try await call.change(of: api)
    let answer = try await api.entitlements.restore(userID, in: bundleID)
    return .json(bytes: answer.json(of: userID).serialized)
  }

  private static let dissociate = EntitlementOperation(
    method: .post, access: .service, readsBody: true
  ) { api, call in
    let (body, userID, bundleID) = try await call.change(of: api)
    let id = try body.requiredText("originalTransactionId")
    let isRemoved = try await api.entitlements.dissociate(id, from: userID, in: bundleID)
    return .json(
      bytes: OrderedJSON.object([
        .init("originalTransactionId", id), .init("dissociated", .value(.boolean(isRemoved))),
      ]).serialized)
  }

  private static let subscriber = EntitlementOperation(
    method: .get, access: .caller
  ) { api, call in
    guard let app = RequestTarget.text(ofSegment: call.id) else {
      throw EntitlementFailure.unknownApp
    }
    let bundleID = try api.bundleID(app)
    guard let text = try call.query("userId") else { throw FieldRefusal.missing("userId") }
    guard let userID = try? AccountID(opaque: text) else { throw FieldRefusal.invalid("userId") }
    try await call.require(userID, in: bundleID, of: api)
    let answer = try await api.entitlements.isSubscriber(userID, of: bundleID)
    return .json(bytes: answer.json(of: userID, in: bundleID).serialized)
  }
}

extension EntitlementAPI {
  /// Returns the bundle ID of a request, which only a host with one app may leave out.
  ///
  /// - Throws: ``FieldRefusal`` if it is missing, or ``EntitlementFailure/unknownApp``.
  fileprivate func bundleID(_ text: String?) throws -> String {
    let apps = entitlements.apps
    guard let text else {
      guard let only = apps.only else { throw FieldRefusal.missing("bundleId") }
      return only.bundleID
    }
    guard let app = apps[text] else { throw EntitlementFailure.unknownApp }
    return app.bundleID
  }
}

extension EntitlementCall {
  /// Returns the body, the user in the path and the app of a request that changes something, whose caller may act
  /// for the user.
  fileprivate func change(
    of api: EntitlementAPI
  ) async throws -> (body: RequestFields, userID: AccountID, bundleID: String) {
    let body = try RequestFields(parsing: request.body, within: .knownMembers)
    let bundleID = try api.bundleID(try body.nonEmptyText("bundleId"))
    let userID = try pathUser()
    try await require(userID, in: bundleID, of: api)
    return (body, userID, bundleID)
  }

  /// Returns the user in the path and the app of a request that only reads, whose caller may act for the user.
  fileprivate func question(
    of api: EntitlementAPI
  ) async throws -> (userID: AccountID, bundleID: String) {
    let bundleID = try api.bundleID(try query("bundleId"))
    let userID = try pathUser()
    try await require(userID, in: bundleID, of: api)
    return (userID, bundleID)
  }

  /// Returns a parameter of the query, or nil if it is missing or empty.
  fileprivate func query(_ name: String) throws(FieldRefusal) -> String? {
    do {
      return try target.parameter(name)
    } catch {
      throw .invalid(name)
    }
  }
}
