internal import CreditPolicy
internal import HTTPMessages
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

typealias CreditCall = Call<CreditAPI>
typealias CreditRoute = Route<CreditAPI>

extension CreditAPI: APIShell {
  typealias Terms = Void

  /// Returns the routes; only those for users to verify and for Apple are in the contract, the others are additions.
  ///
  /// Source: credit rules, section 1.
  static func table(
    _ notifications: NotificationService?, _ playNotifications: PlayNotificationService?,
    hasServices: Bool, sellsAtGooglePlay: Bool
  ) -> [CreditRoute] {
    var routes = [
      CreditRoute(.post, "/payments/apple/transactions/verify", .user, readsBody: true) {
        try await $0.verify($1)
      },
      CreditRoute(.get, "/payments/apple/products", .user) { try await $0.listProducts($1) },
      CreditRoute(.get, "/credits/balance", .user) { try await $0.balance($1) },
      CreditRoute(.get, "/credits/ledger", .user) { try await $0.ledger($1) },
    ]
    if sellsAtGooglePlay {
      routes.append(
        CreditRoute(.post, "/payments/google/purchases/verify", .user, readsBody: true) {
          try await $0.verifyPurchase($1)
        })
    }
    if let notifications {
      routes.append(
        CreditRoute(.post, "/payments/apple/notifications", .vendor, readsBody: true) { _, call in
          try await notifications.receive(
            creditPayload: call.signedPayload(), body: call.request.body,
            isForwarded: call.request.isForwarded)
          return HTTPResponseMessage(status: .ok)
        })
    }
    if let playNotifications {
      routes.append(.playNotifications(playNotifications, "/payments/google/notifications"))
    }
    if hasServices {
      routes.append(
        CreditRoute(.post, "/credits/entries", .service, readsBody: true) {
          try await $0.book($1)
        })
    }
    return routes
  }

  static var usualRetryAfter: Duration { .seconds(5) }

  func admit(_ call: inout CreditCall, to route: CreditRoute) async throws {
    // A token of the other kind is unknown, and not merely forbidden.
    let isForUsers = route.access == .user
    let asked = UsersAndServices(
      users: isForUsers ? users : nil, services: isForUsers ? nil : services)
    let caller = try await asked.caller(of: call.request)
    // Identifiers of credits are visible ASCII.
    if case .user(let id) = caller, (try? AccountID(id.rawValue)) != id {
      throw AuthenticationFailure.unknownToken
    }
    call.caller = caller
  }

  func bodyLimit(of route: CreditRoute) -> Int {
    route.access == .vendor ? Self.notificationLimit : Self.bodyLimit
  }
}

// MARK: Handlers

extension CreditAPI {
  private func verify(_ call: CreditCall) async throws -> HTTPResponseMessage {
    let user = try call.userID()
    let body = try RequestObject(parsing: call.request.body)
    // In the order of the contract, so that the first fault is reported.
    let productCode = try body.text("productCode", limit: 32)
    let appStoreProductID = try body.text("appStoreProductId", limit: 128)
    let transactionID = try body.text("transactionId", limit: 64)
    let token = try body.text("signedTransactionInfo", limit: 32_768)
    let claim = GrantClaim(
      userID: user, productCode: productCode, appStoreProductID: appStoreProductID,
      transactionID: transactionID, appAccountToken: try body.optionalUUID("appAccountToken"))
    do {
      let grant = try await credits.grant(claim, signedTransactionInfo: token)
      return .json(bytes: grant.json.serialized)
    } catch let failure as CreditFailure {
      guard let problem = failure.problem(for: claim) else { throw failure }
      throw problem
    } catch StorageFailure.invalidValue(let field) where field.origin == .evidence {
      throw Problem.invalid(.payloadInvalid)
    }
  }

  private func verifyPurchase(_ call: CreditCall) async throws -> HTTPResponseMessage {
    let user = try call.userID()
    let body = try RequestObject(parsing: call.request.body)
    let productCode = try body.text("productCode", limit: 32)
    let productID = try body.text("googlePlayProductId", limit: 128)
    let token = try body.text("purchaseToken", limit: 4096)
    do {
      let grant = try await credits.grant(
        purchaseToken: token, of: productCode, productID: productID, to: user)
      return .json(bytes: grant.json.serialized)
    } catch let failure as CreditFailure {
      let claim = GrantClaim(
        userID: user, productCode: productCode, appStoreProductID: productID, transactionID: "")
      guard let problem = failure.problem(for: claim, at: .google) else { throw failure }
      throw problem
    }
  }

  private func listProducts(_ call: CreditCall) async throws -> HTTPResponseMessage {
    let products = credits.products.enabled.map(\.json)
    return .json(bytes: OrderedJSON.object([.init("data", .array(products))]).serialized)
  }

  private func balance(_ call: CreditCall) async throws -> HTTPResponseMessage {
    .balance(try await credits.balance(of: call.userID()))
  }

  private func ledger(_ call: CreditCall) async throws -> HTTPResponseMessage {
    let user = try call.userID()
    let page = try call.number("page", or: 1, refusal: .invalidPage)
    let length = try call.number("per_page", or: 20, refusal: .invalidPageLength)
    guard page >= 1 else { throw RequestRefusal.invalidPage }
    guard (1...100).contains(length) else { throw RequestRefusal.invalidPageLength }
    let found = try await credits.ledger(of: user, page: page, limit: length)
    return .json(bytes: found.json.serialized)
  }

  private func book(_ call: CreditCall) async throws -> HTTPResponseMessage {
    let booking = try LedgerBooking(
      RequestObject(parsing: call.request.body))
    do {
      _ = try await credits.book(booking)
    } catch let failure as CreditFailure {
      guard let problem = failure.bookingProblem else { throw failure }
      throw problem
    }
    // After a repeated event the stored entry has an older balance.
    return .balance(try await credits.balance(of: booking.userID))
  }
}

extension CreditCall {
  fileprivate func signedPayload() throws(Problem) -> String {
    guard let body = try? RequestObject(parsing: request.body),
      let text = try? body.text("signedPayload", limit: .max)
    else { throw Problem(.requestMalformed) }
    return text
  }
}

extension HTTPResponseMessage {
  fileprivate static func balance(_ balance: Int) -> HTTPResponseMessage {
    .json(bytes: OrderedJSON.object([.init("balance", balance)]).serialized)
  }
}

extension LedgerBooking {
  /// Creates a booking of the host's own from a request.
  ///
  /// The kinds of change of purchases, and events that begin like those of purchases, are refused, after every fault
  /// of a single member. Source: credit rules, section 5.
  init(_ body: RequestObject) throws(Problem) {
    let userID = try body.accountID("userId")
    let eventID = try body.storableText("eventId", limit: 255)
    let changeType = ChangeType(rawValue: try body.storableText("changeType", limit: 64))
    let subjectType = try body.storableText("bizType", limit: 64)
    let subjectID = try body.storableText("bizId", limit: 255)
    self.init(
      userID: userID, eventID: eventID, changeType: changeType, subjectType: subjectType,
      subjectID: subjectID,
      amount: try body.requiredInteger("amount"))
    switch reservedPart {
    case .eventID: throw RequestObject.fault(.reserved, "eventId")
    case .changeType: throw RequestObject.fault(.reserved, "changeType")
    case .environment, nil: break
    }
  }
}
