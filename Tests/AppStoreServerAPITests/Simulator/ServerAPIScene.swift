import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// A simulated App Store, asked by raw requests.
struct ServerAPIScene: Sendable {
  static let bundleID = "com.example.reader"
  /// The shared authority, because RSA keys take a while to generate.
  private static let authority = Result { try TestAuthority.forReceipts() }

  static let production = "https://api.storekit.apple.com"
  static let sandbox = "https://api.storekit-sandbox.apple.com"

  let appStore: AppStoreSimulator
  let verifier: SignedDataVerifier

  init(
    _ environment: AppStoreEnvironment = .production, bundleID: String = bundleID,
    _ change: (inout AppStoreSimulator.ServerAPISettings) -> Void = { _ in }
  ) throws {
    let appStore = try AppStoreSimulator(
      bundleID: bundleID, environment: environment
    ) { $0.authority = try Self.authority.get() }
    change(&appStore.serverAPI)
    self.appStore = appStore
    verifier = try SignedDataVerifier(
      apps: [App(bundleID: bundleID, appAppleID: appStore.appAppleID)],
      environments: [environment], trustAnchors: [appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
  }

  /// The host of the simulator's environment.
  var host: String { appStore.environment == .sandbox ? Self.sandbox : Self.production }

  /// Returns a token as a server signs it.
  func token(
    _ key: TestServerAPIKey? = nil, issuerID: String? = nil, bundleID: String? = nil,
    lifetime: Duration = .seconds(300), at date: Date? = nil
  ) throws -> String {
    let key = key ?? appStore.serverAPIKey
    let signer = try ServerAPITokenSigner(
      key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: issuerID ?? key.issuerID,
      bundleID: bundleID ?? appStore.bundleID, lifetime: lifetime)
    return try signer.token(at: date ?? appStore.now)
  }

  func send(
    _ method: HTTPRequestMethod, _ target: String, _ body: String = "", host: String? = nil,
    authorization: String? = nil, timeout: Duration? = nil
  ) async throws -> HTTPResponseMessage {
    var headers: HTTPHeaders = [.accept: "application/json"]
    try headers.set(authorization ?? "Bearer \(token())", for: .authorization)
    return try await appStore.send(
      HTTPRequestMessage(
        method: method, url: (host ?? self.host) + target, headers: headers,
        body: Array(body.utf8), timeout: timeout))
  }

  /// Sends a request that must succeed; returns the body.
  func ask(
    _ method: HTTPRequestMethod, _ target: String, _ body: String = "", host: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    let response = try await send(method, target, body, host: host)
    try #require(
      response.status == .ok,
      "\(response.status) \(String(decoding: response.body, as: UTF8.self))",
      sourceLocation: location)
    try #require(response.headers[.contentType] == "application/json", sourceLocation: location)
    return try JSONValue(parsing: response.body)
  }

  func get(
    _ target: String, _ location: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    try await ask(.get, target, "", host: nil, location)
  }

  /// Sends a request that must be refused with a code; checks that the status is its beginning.
  func code(
    _ method: HTTPRequestMethod, _ target: String, _ body: String = "", host: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> Int? {
    let response = try await send(method, target, body, host: host)
    let json = try? JSONValue(parsing: response.body)
    guard case .integer(let code)? = json?["errorCode"] else {
      Issue.record("\(response.status) has no code", sourceLocation: location)
      return nil
    }
    #expect(response.status.code == code / 10_000, sourceLocation: location)
    #expect(json?["errorMessage"]?.string?.isEmpty == false, sourceLocation: location)
    return code
  }

  /// Verifies the transactions of a page.
  func transactions(_ page: JSONValue) throws -> [Transaction] {
    try (page["signedTransactions"]?.list ?? []).map {
      try verifier.transaction($0.string ?? "").payload
    }
  }

  func transaction(_ signed: JSONValue?) throws -> Transaction {
    try verifier.transaction(signed?.string ?? "").payload
  }

  /// Reads all pages behind a target, which must have no `revision`.
  func allPages(_ target: String) async throws -> (ids: [String], pages: Int, revision: String) {
    var ids: [String] = []
    var revision: String?
    for count in 1...100 {
      let more = revision.map { (target.contains("?") ? "&" : "?") + "revision=" + escaped($0) }
      let page = try await get(target + (more ?? ""))
      ids += try transactions(page).compactMap(\.transactionID)
      revision = page["revision"]?.string
      guard page["hasMore"] == .boolean(true) else { return (ids, count, revision ?? "") }
    }
    return (ids, .max, "")
  }

  /// Moves the clock.
  func pass(_ days: Int) { appStore.clock.advance(by: .days(days)) }

  func milliseconds(_ date: Date) -> Int { Int((date.timeIntervalSince1970 * 1000).rounded()) }
}

/// Escapes all but the unreserved characters of RFC 3986.
func escaped(_ text: String) -> String {
  text.utf8.map { byte in
    let character = Character(Unicode.Scalar(byte))
    if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
      return String(character)
    }
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + (digits.count == 1 ? "0" : "") + digits
  }.joined()
}

extension JSONValue {
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var number: Int? { if case .integer(let number) = self { number } else { nil } }
  var list: [JSONValue] { if case .array(let list) = self { list } else { [] } }
}
