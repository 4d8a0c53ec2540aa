import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting

/// The credit API on a store in memory, with a test authority as Apple.
///
/// The users u1 to u3 have sessions; u1 starts with a balance of 100 (credit rules, section 9).
struct CreditScene: Sendable {
  static let bundleID = "com.example.gems"
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  static let authority = try? TestAuthority()
  static let serviceToken = "token-of-a-service"
  static let welcome = "com.example.gems.welcome"
  static let big = "com.example.gems.big"

  let api: CreditAPI
  let authority: TestAuthority
  let reports = Reports()
  private let sessions: SessionKey

  init(
    store: (any PurchaseStore)? = nil, environments: CountedEnvironments? = nil,
    accounts: Accounts = Accounts(), users: (any Authenticator)? = nil,
    products: [CreditProduct] = Self.products, problemBase: String = "urn:problem:",
    startingBalance: Int = 100, authority: TestAuthority? = nil,
    revocationChecker: RevocationChecker? = nil, play: PlayStoreSimulator? = nil,
    change: (inout CreditOptions) -> Void = { _ in }
  ) async throws {
    let authority = try authority ?? Self.authority ?? TestAuthority()
    self.authority = authority
    sessions = try SessionKey(secret: TestSession.secret)
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: Self.bundleID, appAppleID: 1_234_567_890)],
      environments: [.production, .sandbox], trustAnchors: [authority.trustAnchor],
      revocationChecker: revocationChecker, now: { Self.now })
    var options = CreditOptions()
    if let environments { options.environments = environments }
    change(&options)
    let credits = try CreditService(
      PurchaseContext(
        store: store ?? InMemoryPurchaseStore(), accounts: accounts, verifier: verifier,
        now: { Self.now }), products: try CreditProducts(products), options: options,
      googlePlay: try play.map(Self.client))
    let service = BearerTokens.Entry(
      name: "render-farm", digest: try BearerTokens.digest(of: Self.serviceToken))
    var apiOptions = APIOptions()
    apiOptions.observer = reports
    var api = CreditAPI(
      credits,
      notifications: try NotificationService(
        credits.context, credits: credits),
      playNotifications: try play.map { try Self.notifications(credits, $0) },
      users: users ?? SessionTokens(key: sessions, now: { Self.now }),
      services: BearerTokens([service]), options: apiOptions)
    api.problemBase = problemBase
    self.api = api
    guard store == nil, startingBalance != 0 else { return }
    try await credits.book(
      LedgerBooking(
        userID: "u1", eventID: "start", changeType: .init(rawValue: "bonus"), subjectType: "start",
        subjectID: "1", amount: startingBalance))
  }

  private static func client(of play: PlayStoreSimulator) throws -> GooglePlayClient {
    var configuration = GooglePlayClient.Configuration()
    configuration.attempts = 1
    configuration.now = { play.now }
    let account = try GoogleServiceAccount(keyFile: play.serviceAccount.keyFile)
    return try GooglePlayClient(
      packageName: play.packageName,
      tokens: AccessTokenSource(account: account, transport: play, now: { play.now }),
      transport: play, configuration: configuration)
  }

  private static func notifications(
    _ credits: CreditService, _ play: PlayStoreSimulator
  ) throws -> PlayNotificationService {
    var notifications = try PlayNotificationService(
      credits.context, play: client(of: play),
      tokens: try PushTokenVerifier(
        configuration: .init(audience: pushes.url, email: pushes.email), transport: play,
        now: { play.now }))
    notifications.credits = credits
    return notifications
  }

  static let pushes: PlayPushConfiguration = {
    var pushes = PlayPushConfiguration()
    pushes.url = "https://gems.example.com/api/v1/payments/google/notifications"
    pushes.email = "push@gems.iam.gserviceaccount.com"
    return pushes
  }()

  static let products = [
    CreditProduct(
      code: "welcome_pack", appStoreProductID: welcome, credits: 60, type: .starter, sortOrder: 1),
    CreditProduct(code: "big_pack", appStoreProductID: big, credits: 500),
    CreditProduct(
      code: "old_pack", appStoreProductID: "com.example.gems.old", credits: 10, isEnabled: false),
  ]

  /// E-mail addresses and account tokens that the host knows.
  struct Accounts: AccountDirectory {
    var emailAddresses: [AccountID: String] = [:]
    var tokens: [AccountID: UUID] = [:]

    func account(_ id: AccountID) -> Account? { Account(id: id) }
    func appAccountToken(of id: AccountID) -> UUID? { tokens[id] }
    func emailAddress(of id: AccountID) -> String? { emailAddresses[id] }
  }

  // MARK: Asking

  /// Sends a request with a user's session, or with another token, or with none.
  func send(
    _ method: HTTPRequestMethod, _ path: String, _ body: [UInt8] = [], user: String? = "u1",
    token: String? = nil, headers: KeyValuePairs<HTTPHeaderName, String> = [:]
  ) async throws -> HTTPResponseMessage {
    var fields = HTTPHeaders()
    if let token {
      try fields.set("Bearer \(token)", for: .authorization)
    } else if let user {
      let session = try TestSession.token(claims: #"{"sub":"\#(user)","exp":1700000600}"#)
      try fields.set("Bearer \(session)", for: .authorization)
    }
    for (name, value) in headers { try fields.append(value, for: name) }
    return await api.respond(
      to: HTTPRequestMessage(method: method, url: "/api/v1" + path, headers: fields, body: body))
  }

  func verify(_ body: String, user: String? = "u1") async throws -> HTTPResponseMessage {
    try await send(.post, "/payments/apple/transactions/verify", Array(body.utf8), user: user)
  }

  /// Verifies a purchase as an app does.
  func verify(_ purchase: Purchase = Purchase(), user: String? = "u1") async throws
    -> HTTPResponseMessage
  {
    try await verify(body(of: purchase), user: user)
  }

  func notify(_ body: String) async throws -> HTTPResponseMessage {
    try await send(.post, "/payments/apple/notifications", Array(body.utf8), user: nil)
  }

  func book(_ body: String) async throws -> HTTPResponseMessage {
    try await send(.post, "/credits/entries", Array(body.utf8), token: Self.serviceToken)
  }

  func balance(of user: String = "u1") async throws -> Int {
    try await api.credits.balance(of: AccountID(user))
  }

  // MARK: Signed data

  /// A purchase, and the members of a request about it as far as they differ.
  struct Purchase {
    var transaction = CreditScene.transaction()
    var code = "welcome_pack"
    var productID: String?
    var transactionID: String?
    /// JSON.
    var token: String?
  }

  static func transaction(
    _ id: String = "2000000900000001", product: String = welcome
  ) -> Transaction {
    var transaction = Transaction()
    transaction.transactionID = id
    transaction.originalTransactionID = id
    transaction.bundleID = bundleID
    transaction.productID = product
    transaction.environment = .production
    transaction.type = .consumable
    transaction.quantity = 1
    transaction.purchaseDate = now
    transaction.signedDate = now
    return transaction
  }

  func body(of purchase: Purchase) throws -> String {
    let transaction = purchase.transaction
    return body(
      code: purchase.code, productID: purchase.productID ?? transaction.productID ?? "",
      transactionID: purchase.transactionID ?? transaction.transactionID ?? "",
      jws: try authority.sign(transaction), token: purchase.token)
  }

  func body(
    code: String = "welcome_pack", productID: String = welcome,
    transactionID: String = "2000000900000001", jws: String, token: String? = nil
  ) -> String {
    #"{"productCode":"\#(code)","appStoreProductId":"\#(productID)","#
      + #""transactionId":"\#(transactionID)","signedTransactionInfo":"\#(jws)""#
      + (token.map { #","appAccountToken":\#($0)"# } ?? "") + "}"
  }

  /// The body of a notification about a transaction.
  func notification(
    _ type: NotificationType? = .refund, uuid: String? = "6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10",
    about transaction: Transaction? = transaction(), signer: TestAuthority? = nil,
    change: (inout ServerNotification) -> Void = { _ in }
  ) throws -> String {
    var data = NotificationData()
    data.environment = .production
    data.bundleID = Self.bundleID
    data.appAppleID = 1_234_567_890
    data.signedTransactionInfo = try transaction.map { try authority.sign($0) }
    var notification = ServerNotification()
    notification.notificationType = type
    notification.notificationUUID = uuid
    notification.version = "2.0"
    notification.signedDate = Self.now
    notification.data = data
    change(&notification)
    return #"{"signedPayload":"\#(try (signer ?? authority).sign(notification))"}"#
  }
}

extension HTTPResponseMessage {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The problem in the body: status, code and the JSON of its parameters.
  var problem: ProblemBody? {
    guard headers.values(for: .contentType) == ["application/problem+json"],
      case .object(let members)? = try? JSONValue(parsing: body),
      members["status"] == .integer(status.code), case .string(let code)? = members["code"]
    else { return nil }
    return ProblemBody(
      status.code, code,
      members["params"].map { String(decoding: $0.serialized, as: UTF8.self) } ?? "")
  }
}

/// A problem as the contract has it; the members of `params` are sorted by name.
struct ProblemBody: Hashable {
  let status: Int
  let code: String
  let params: String

  init(_ status: Int, _ code: String, _ params: String = "") {
    self.status = status
    self.code = code
    self.params = params
  }

  static func invalid(_ reason: String) -> ProblemBody {
    ProblemBody(422, "PAYMENT_TRANSACTION_INVALID", #"{"reason":"\#(reason)"}"#)
  }

  static func fault(_ field: String, _ reason: String, max: Int? = nil) -> ProblemBody {
    ProblemBody(
      422, "REQUEST_VALIDATION_FAILED",
      #"{"field":"\#(field)","# + (max.map { #""max":\#($0),"# } ?? "")
        + #""reason":"\#(reason)"}"#)
  }

  static let unauthenticated = ProblemBody(401, "UNAUTHENTICATED")
  static let malformed = ProblemBody(400, "REQUEST_MALFORMED")
  static let unavailable = ProblemBody(503, "SERVICE_UNAVAILABLE")
  static let failed = ProblemBody(500, "INTERNAL_ERROR")
}
