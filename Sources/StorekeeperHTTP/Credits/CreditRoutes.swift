internal import CreditPolicy
internal import HTTPMessages
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

// The routes of credits; only verify and notifications are in the contract, the others are additions
// (credit rules, section 1).
enum CreditRoutes {
  static let ofUsers: [Route<CreditAPI>] = [
    Route(path: "/payments/apple/transactions/verify", operations: [verify]),
    Route(path: "/payments/apple/products", operations: [products]),
    Route(path: "/credits/balance", operations: [balance]),
    Route(path: "/credits/ledger", operations: [ledger]),
  ]

  /// The route for trusted services.
  static let entries = Route(path: "/credits/entries", operations: [book])

  /// The route for Apple, whose path `payments/apple` has in common with that of users.
  static func notifications(_ service: NotificationService) -> Route<CreditAPI> {
    Route(
      path: "/payments/apple/notifications",
      operations: [
        CreditOperation(method: .post, access: .apple, readsBody: true) { _, call in
          try await service.receive(creditPayload: call.signedPayload())
          return HTTPResponseMessage(status: .ok)
        }
      ])
  }

  private static let verify = CreditOperation(
    method: .post, access: .user, readsBody: true
  ) { api, call in
    let user = try call.requiredUser()
    let body = try RequestObject(parsing: call.request.body, within: .knownMembers)
    // In the order of the contract, so that the first fault is reported.
    let productCode = try body.text("productCode", limit: 32)
    let appStoreProductID = try body.text("appStoreProductId", limit: 128)
    let transactionID = try body.text("transactionId", limit: 64)
    let token = try body.text("signedTransactionInfo", limit: 32_768)
    let claim = GrantClaim(
      userID: user, productCode: productCode, appStoreProductID: appStoreProductID,
      transactionID: transactionID, appAccountToken: try body.optionalUUID("appAccountToken"))
    do {
      let grant = try await api.credits.grant(claim, signedTransactionInfo: token)
      return .json(bytes: grant.json.serialized)
    } catch let failure as CreditFailure {
      guard let problem = failure.problem(for: claim) else { throw failure }
      throw problem
    } catch StorageFailure.invalidValue(let field) where field.origin == .evidence {
      throw Problem.invalid(.payloadInvalid)
    }
  }

  private static let products = CreditOperation(method: .get, access: .user) { api, _ in
    let products = api.credits.products.enabled.map(\.json)
    return .json(bytes: OrderedJSON.object([.init("data", .array(products))]).serialized)
  }

  private static let balance = CreditOperation(method: .get, access: .user) { api, call in
    .balance(try await api.credits.balance(of: call.requiredUser()))
  }

  private static let ledger = CreditOperation(method: .get, access: .user) { api, call in
    let user = try call.requiredUser()
    let page = try call.number("page", or: 1, refusal: .invalidPage)
    let length = try call.number("per_page", or: 20, refusal: .invalidPageLength)
    guard page >= 1 else { throw RequestRefusal.invalidPage }
    guard (1...100).contains(length) else { throw RequestRefusal.invalidPageLength }
    let found = try await api.credits.ledger(of: user, page: page, limit: length)
    return .json(bytes: found.json.serialized)
  }

  private static let book = CreditOperation(
    method: .post, access: .service, readsBody: true
  ) { api, call in
    let booking = try LedgerBooking(
      RequestObject(parsing: call.request.body, within: .knownMembers))
    do {
      _ = try await api.credits.book(booking)
    } catch let failure as CreditFailure {
      guard let problem = failure.bookingProblem else { throw failure }
      throw problem
    }
    // After a repeated event the stored entry has an older balance.
    return .balance(try await api.credits.balance(of: booking.userID))
  }
}

extension CreditCall {
  /// Returns the user of a route for users.
  fileprivate func requiredUser() throws(AuthenticationFailure) -> AccountID {
    guard let user else { throw .unknownToken }
    return user
  }

  /// Returns the signed notification in the body.
  fileprivate func signedPayload() throws(Problem) -> String {
    guard let body = try? RequestObject(parsing: request.body, within: .knownMembers),
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
