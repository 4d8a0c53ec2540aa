import Foundation
import HTTPMessages
import JSONValues
import StoreSimulators
import StorekeeperCrypto
import StorekeeperTesting
import Testing

/// A simulated Play store, asked by raw requests.
struct PlayScene: Sendable {
  static let packageName = "com.example.reader"
  static let start = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z
  // Shared, because RSA keys take a while to generate.
  private static let account = Result { try TestServiceAccount() }
  private static let pushKey = Result { try TestPushKey() }
  static let publisher = "https://androidpublisher.googleapis.com/androidpublisher/v3/applications/"

  let play: PlayStoreSimulator

  init(
    products: [PlayProduct] = PlayProduct.samples, pushes: PlayPushConfiguration? = nil,
    _ change: (inout PlayStoreSimulator.Settings) -> Void = { _ in }
  ) throws {
    play = try PlayStoreSimulator(packageName: Self.packageName, products: products) {
      $0.otherPackageNames = ["com.example.other"]
      $0.serviceAccount = try Self.account.get()
      if let pushes { $0.pushes = pushes }
      $0.pushKey = try Self.pushKey.get()
      $0.start = Self.start
    }
    change(&play.settings)
  }

  func advance(_ duration: Duration) { play.clock.advance(by: duration) }

  // MARK: Access tokens

  /// Returns a signed request for an access token; changes make it a bad one.
  func assertion(
    claims change: [String: JSONValue?] = [:], header headerChange: [String: JSONValue?] = [:],
    pem: String? = nil
  ) throws -> String {
    let account = play.serviceAccount
    let now = Int(play.now.timeIntervalSince1970)
    var claims: [String: JSONValue] = [
      "iss": .string(account.clientEmail),
      "scope": .string("https://www.googleapis.com/auth/androidpublisher"),
      "aud": .string("https://oauth2.googleapis.com/token"), "iat": .integer(now),
      "exp": .integer(now + 3600),
    ]
    for (name, value) in change { claims[name] = value }
    var header: [String: JSONValue] = [
      "alg": .string("RS256"), "typ": .string("JWT"), "kid": .string(account.privateKeyID),
    ]
    for (name, value) in headerChange { header[name] = value }
    let signed = [header, claims].map { Base64.encode(JSONValue.object($0).serialized, .url) }
      .joined(separator: ".")
    let key = try RSAPrivateKey(pem: pem ?? account.privateKey)
    return signed + "." + Base64.encode(try key.signature(of: Array(signed.utf8)), .url)
  }

  /// Asks for an access token with a form.
  func askForToken(
    _ assertion: String, grant: String? = "urn:ietf:params:oauth:grant-type:jwt-bearer",
    timeout: Duration? = nil
  ) async throws -> HTTPResponseMessage {
    var form = "assertion=\(assertion)"
    if let grant { form += "&grant_type=" + grant.split(separator: ":").joined(separator: "%3A") }
    return try await play.send(
      HTTPRequestMessage(
        method: .post, url: "https://oauth2.googleapis.com/token",
        headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(form.utf8),
        timeout: timeout))
  }

  func accessToken() async throws -> String {
    let response = try await askForToken(try assertion())
    return try #require(JSONValue(parsing: response.body)["access_token"]?.string)
  }

  // MARK: Purchases

  /// Sends a request about purchases, or another collection, with a new access token.
  func send(
    _ method: HTTPRequestMethod, _ path: String, _ body: String = "",
    package: String = packageName, under collection: String = "purchases/",
    authorization: String? = nil, timeout: Duration? = nil
  ) async throws -> HTTPResponseMessage {
    var headers: HTTPHeaders = [.accept: "application/json"]
    let field: String
    if let authorization {
      field = authorization
    } else {
      field = "Bearer " + (try await accessToken())
    }
    if !field.isEmpty { try headers.set(field, for: .authorization) }
    return try await play.send(
      HTTPRequestMessage(
        method: method, url: "\(Self.publisher)\(package)/\(collection)\(path)", headers: headers,
        body: Array(body.utf8), timeout: timeout))
  }

  /// Sends a request that must succeed; returns the body.
  func ask(
    _ path: String, _ location: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    let response = try await send(.get, path)
    try #require(
      response.status == .ok,
      "\(response.status) \(String(decoding: response.body, as: UTF8.self))",
      sourceLocation: location)
    #expect(
      response.headers[.contentType] == "application/json; charset=UTF-8",
      sourceLocation: location)
    return try JSONValue(parsing: response.body)
  }

  func subscription(
    _ purchase: TestPlayPurchase, _ location: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    try await ask("subscriptionsv2/tokens/\(purchase.purchaseToken)", location)
  }

  func product(
    _ purchase: TestPlayPurchase, _ location: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    try await ask("productsv2/tokens/\(purchase.purchaseToken)", location)
  }

  func state(
    _ purchase: TestPlayPurchase, _ location: SourceLocation = #_sourceLocation
  ) async throws -> String? {
    try await subscription(purchase, location)["subscriptionState"]?.string
  }

  /// Acknowledges a subscription by a request.
  func acknowledge(
    _ purchase: TestPlayPurchase, product: String? = nil, _ body: String = "{}"
  ) async throws -> HTTPResponseMessage {
    let id = product ?? purchase.productID
    return try await send(
      .post, "subscriptions/\(id)/tokens/\(purchase.purchaseToken):acknowledge", body)
  }

  /// Changes a one-time purchase by a request: `acknowledge` or `consume`.
  func change(
    _ purchase: TestPlayPurchase, _ verb: String, product: String? = nil
  ) async throws -> HTTPResponseMessage {
    let id = product ?? purchase.productID
    return try await send(.post, "products/\(id)/tokens/\(purchase.purchaseToken):\(verb)", "{}")
  }

  /// The types of the notifications about subscriptions, in order.
  var types: [Int?] { play.notifications.map { $0.subscriptionType?.rawValue } }
}

/// An error in Google's answer: its code, its status, and the first of its reasons.
struct Failure: Hashable, Sendable {
  let code: Int?
  let status: String?
  let reason: String?

  init(_ code: Int?, _ status: String?, _ reason: String?) {
    self.code = code
    self.status = status
    self.reason = reason
  }
}

extension HTTPResponseMessage {
  /// The member `error` of the body, which is empty in an answer without one.
  var failure: Failure {
    guard let error = try? JSONValue(parsing: body)["error"] else { return Failure(nil, nil, nil) }
    let code: Int? = if case .integer(let code)? = error["code"] { code } else { nil }
    return Failure(code, error["status"]?.string, error["errors"]?.first?["reason"]?.string)
  }
}

extension JSONValue {
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var elements: [JSONValue] { if case .array(let list) = self { list } else { [] } }
  var first: JSONValue? { elements.first }
  /// The names of the members.
  var names: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }
}
