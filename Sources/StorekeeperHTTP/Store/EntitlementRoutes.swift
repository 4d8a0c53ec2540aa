internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import Storekeeper

typealias EntitlementCall = Call<EntitlementAPI>
typealias EntitlementRoute = Route<EntitlementAPI>

extension EntitlementAPI: APIShell {
  typealias Terms = Void

  /// Returns the routes.
  ///
  /// Source: entitlement rules, section 10.
  static func table(_ parts: Parts) -> [EntitlementRoute] {
    var routes = [
      EntitlementRoute(.post, "/store/receipts/validate", .caller, readsBody: true) {
        try await $0.validate($1)
      },
      EntitlementRoute(.get, "/store/users/{userId}/products", .caller) {
        try await $0.products($1)
      },
      EntitlementRoute(.post, "/store/users/{userId}/acquire", .caller, readsBody: true) {
        try await $0.acquire($1)
      },
      EntitlementRoute(.post, "/store/users/{userId}/acquire-all", .caller, readsBody: true) {
        try await $0.acquireAll($1)
      },
      EntitlementRoute(.get, "/store/shared/{bundleId}/subscriber", .caller) {
        try await $0.subscriber($1)
      },
      EntitlementRoute(.get, "/store/products", .caller) { try await $0.catalog($1) },
      EntitlementRoute(.get, "/store/users/{userId}/purchase-route", .caller) {
        try await $0.purchaseRoute($1)
      },
      EntitlementRoute(.post, "/store/users/{userId}/restore", .caller, readsBody: true) {
        try await $0.restore($1)
      },
      EntitlementRoute(.post, "/store/users/{userId}/dissociate", .service, readsBody: true) {
        try await $0.dissociate($1)
      },
    ]
    if let statements = parts.statements { routes += statementRoutes(statements) }
    if let notifications = parts.notifications {
      routes.append(.appleNotifications(notifications))
    }
    if let playNotifications = parts.playNotifications {
      routes.append(.playNotifications(playNotifications, "/webhook/google"))
    }
    return routes
  }

  func admit(_ call: inout EntitlementCall, to route: EntitlementRoute) async throws {
    call.caller = try await authenticators.caller(of: call.request)
  }

  func bodyLimit(of route: EntitlementRoute) -> Int { Self.bodyLimit }
}

// MARK: Handlers

extension EntitlementAPI {
  private func validate(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    let body = try RequestFields(parsing: call.request.body)
    let bundleID = try self.bundleID(try body.nonEmptyText("bundleId"))
    let userID = try body.optionalUserID("userId")
    if let userID { try await require(userID, in: bundleID, for: call) }
    let evidence = UploadedEvidence(
      receipt: try body.nonEmptyText("receiptData"),
      signedTransactions: try body.texts(
        "signedTransactions", limit: EntitlementService.maximumTransactionCount),
      purchaseTokens: try body.texts(
        "purchaseTokens", limit: EntitlementService.maximumTokenCount))
    let answer = try await entitlements.validate(evidence, for: userID, in: bundleID)
    return .json(bytes: answer.json.serialized)
  }

  private func products(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    let (userID, bundleID) = try await question(call)
    let entitlements = try await self.entitlements.products(of: userID, in: bundleID)
    let tag = try EntityTag(of: entitlements.products(of: userID, evaluated: false).serialized)
    return tag.response(
      to: call.request, kept: .byClient,
      entitlements.products(of: userID, evaluated: true).serialized)
  }

  private func acquire(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    let (body, userID, bundleID) = try await change(call)
    let productID = try body.requiredText("productId")
    let answer = try await entitlements.acquire(productID, for: userID, in: bundleID)
    return .json(bytes: answer.json(about: productID).serialized)
  }

  private func acquireAll(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    let (_, userID, bundleID) = try await change(call)
    let answer = try await entitlements.acquireAll(for: userID, in: bundleID)
    return .json(bytes: answer.jsonOfAll.serialized)
  }

  private func catalog(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    let bundleID = try self.bundleID(try call.query("bundleId"))
    guard let app = entitlements.apps[bundleID] else { throw EntitlementFailure.unknownApp }
    let content = app.catalog.json(of: app.bundleID).serialized
    return try EntityTag(of: content).response(to: call.request, kept: .byClient, content)
  }

  private func purchaseRoute(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    let (userID, bundleID) = try await question(call)
    guard let productID = try call.query("productId") else {
      throw FieldRefusal.missing("productId")
    }
    let entitlements = try await self.entitlements.products(of: userID, in: bundleID)
    return .json(
      bytes: try entitlements.json(ofRouteTo: productID, for: userID).serialized)
  }

  private func restore(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    let (_, userID, bundleID) = try await change(call)
    let answer = try await entitlements.restore(userID, in: bundleID)
    return .json(bytes: answer.json(of: userID).serialized)
  }

  private func dissociate(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    let (body, userID, bundleID) = try await change(call)
    let id = try body.requiredText("originalTransactionId")
    let isRemoved = try await entitlements.dissociate(id, from: userID, in: bundleID)
    return .json(
      bytes: OrderedJSON.object([
        .init("originalTransactionId", id), .init("dissociated", .value(.boolean(isRemoved))),
      ]).serialized)
  }

  private func subscriber(_ call: EntitlementCall) async throws -> HTTPResponseMessage {
    guard let app = call.id.percentDecoded else { throw EntitlementFailure.unknownApp }
    let bundleID = try self.bundleID(app)
    guard let text = try call.query("userId") else { throw FieldRefusal.missing("userId") }
    guard let userID = try? AccountID(opaque: text) else { throw FieldRefusal.invalid("userId") }
    try await require(userID, in: bundleID, for: call)
    let answer = try await entitlements.isSubscriber(userID, of: bundleID)
    return .json(bytes: answer.json(of: userID, in: bundleID).serialized)
  }
}

// MARK: Parts of a request

extension EntitlementAPI {
  /// Returns the bundle ID of a request, which only a host with one app may leave out.
  ///
  /// - Throws: ``FieldRefusal`` if it is missing, or ``EntitlementFailure/unknownApp``.
  private func bundleID(_ text: String?) throws -> String {
    let apps = entitlements.apps
    guard let text else {
      guard let only = apps.only else { throw FieldRefusal.missing("bundleId") }
      return only.bundleID
    }
    guard let app = apps[text] else { throw EntitlementFailure.unknownApp }
    return app.bundleID
  }

  /// Returns the body, the user in the path and the app of a request that changes something, whose caller may act
  /// for the user.
  private func change(
    _ call: EntitlementCall
  ) async throws -> (body: RequestFields, userID: AccountID, bundleID: String) {
    let body = try RequestFields(parsing: call.request.body)
    let bundleID = try self.bundleID(try body.nonEmptyText("bundleId"))
    let userID = try call.pathUser()
    try await require(userID, in: bundleID, for: call)
    return (body, userID, bundleID)
  }

  /// Returns the user in the path and the app of a request that only reads, whose caller may act for the user.
  func question(
    _ call: EntitlementCall
  ) async throws -> (userID: AccountID, bundleID: String) {
    let bundleID = try self.bundleID(try call.query("bundleId"))
    let userID = try call.pathUser()
    try await require(userID, in: bundleID, for: call)
    return (userID, bundleID)
  }

  /// Refuses a caller that may not act for a user.
  ///
  /// - Throws: ``RequestRefusal/forbidden``, or an error of the host's rule.
  private func require(
    _ userID: AccountID, in bundleID: String, for call: EntitlementCall
  ) async throws {
    guard let caller = call.caller, try await mayAct(caller, userID, bundleID) else {
      throw RequestRefusal.forbidden
    }
  }
}

extension EntitlementCall {
  /// Returns the user in the path, or throws ``FieldRefusal`` if it is no user ID.
  fileprivate func pathUser() throws(FieldRefusal) -> AccountID {
    guard let text = id.percentDecoded, let user = try? AccountID(opaque: text) else {
      throw .invalid("userId")
    }
    return user
  }

  /// Returns a parameter of the query, or nil if it is missing or empty.
  func query(_ name: String) throws(FieldRefusal) -> String? {
    do {
      return try request.parameter(name)
    } catch {
      throw .invalid(name)
    }
  }
}
