import Foundation
import HTTPMessages
import JSONValues
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: RFC 7523, and Google's OAuth 2.0 for service accounts.
@Suite("The Play store's access tokens")
struct PlayAccessTests {
  /// The status and the member `error` of an answer.
  private struct Refusal: Hashable {
    let status: HTTPStatusCode
    let error: String?

    init(_ status: HTTPStatusCode, _ error: String?) {
      self.status = status
      self.error = error
    }
  }

  private func refusal(_ response: HTTPResponseMessage) throws -> Refusal {
    Refusal(response.status, try JSONValue(parsing: response.body)["error"]?.string)
  }

  @Test("a signed request gets a token of 3599 seconds")
  func good() async throws {
    let scene = try PlayScene()
    let response = try await scene.askForToken(try scene.assertion())
    #expect(response.status == .ok)
    let answer = try JSONValue(parsing: response.body)
    #expect(answer.names == ["access_token", "expires_in", "token_type"])
    #expect(answer["expires_in"] == .integer(3599))
    #expect(answer["token_type"] == .string("Bearer"))
    #expect(answer["access_token"]?.string?.isEmpty == false)
    #expect(try await scene.accessToken() != scene.accessToken())
  }

  @Test("the account's own token address is an audience too")
  func ownAddress() async throws {
    let account = try TestServiceAccount(tokenURI: "http://127.0.0.1:8090/token")
    let play = try PlayStoreSimulator(packageName: "com.example.reader") {
      $0.serviceAccount = account
    }
    let file = try JSONValue(parsing: account.keyFile)
    #expect(file["token_uri"]?.string == "http://127.0.0.1:8090/token")
    #expect(file["type"]?.string == "service_account")
    #expect(file["client_email"]?.string == play.serviceAccount.clientEmail)
    #expect(file["private_key_id"]?.string == account.privateKeyID)
    #expect(file["private_key"]?.string?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
    #expect(!"\(account)".contains("PRIVATE"))
  }

  @Test(
    "a request that is not signed by the account, or not for now, is 400 invalid_grant",
    arguments: [
      ["iss": JSONValue.string("someone@example.com")], ["iss": nil],
      ["aud": .string("https://example.com/token")], ["aud": nil],
      ["exp": nil], ["iat": nil], ["exp": .string("soon")],
      // Beyond an hour of validity.
      ["iat": .integer(1_700_000_000), "exp": .integer(1_700_003_601)],
      // Beyond the tolerance of five minutes.
      ["iat": .integer(1_699_996_000), "exp": .integer(1_699_999_699)],
      ["iat": .integer(1_700_000_301), "exp": .integer(1_700_000_900)],
      ["iat": .integer(1_700_000_000), "exp": .integer(1_700_000_000)],
    ] as [[String: JSONValue?]])
  func invalidGrant(change: [String: JSONValue?]) async throws {
    let scene = try PlayScene()
    let response = try await scene.askForToken(try scene.assertion(claims: change))
    #expect(try refusal(response) == Refusal(.badRequest, "invalid_grant"))
  }

  @Test("clocks may differ by five minutes")
  func tolerance() async throws {
    let scene = try PlayScene()
    for (issued, expiry) in [(1_700_000_300, 1_700_003_900), (1_699_996_500, 1_699_999_701)] {
      let response = try await scene.askForToken(
        try scene.assertion(claims: ["iat": .integer(issued), "exp": .integer(expiry)]))
      #expect(response.status == .ok)
    }
  }

  @Test("a wrong signature, key or algorithm is 400 invalid_grant")
  func signature() async throws {
    let scene = try PlayScene()
    let bad = [
      try scene.assertion(pem: TestServiceAccount().privateKey),
      try scene.assertion(header: ["kid": .string("another")]),
      try scene.assertion(header: ["alg": .string("none")]),
      try String(scene.assertion().dropLast(10)), "a.b.c", "", "a",
    ]
    for assertion in bad {
      let response = try await scene.askForToken(assertion)
      #expect(try refusal(response) == Refusal(.badRequest, "invalid_grant"))
    }
    let response = try await scene.askForToken(try scene.assertion(header: ["kid": nil]))
    #expect(response.status == .ok, "without a kid every key of the account is tried")
  }

  @Test("a deleted key is 400 invalid_grant, and a disabled account 401 invalid_client")
  func account() async throws {
    let deleted = try PlayScene()
    deleted.play.deleteServiceAccountKey()
    #expect(
      try await refusal(deleted.askForToken(try deleted.assertion()))
        == Refusal(.badRequest, "invalid_grant"))
    let disabled = try PlayScene()
    disabled.play.disableServiceAccount()
    #expect(
      try await refusal(disabled.askForToken(try disabled.assertion()))
        == Refusal(.unauthorized, "invalid_client"))
  }

  @Test("a missing or unknown scope is 400 invalid_scope")
  func scope() async throws {
    let scene = try PlayScene()
    for scope in [JSONValue?.none, .string(""), .string("androidpublisher")] {
      let response = try await scene.askForToken(try scene.assertion(claims: ["scope": scope]))
      #expect(try refusal(response) == Refusal(.badRequest, "invalid_scope"))
    }
  }

  @Test("a form without the grant type, with another one, or no form is 400")
  func form() async throws {
    let scene = try PlayScene()
    let assertion = try scene.assertion()
    #expect(
      try await refusal(scene.askForToken(assertion, grant: nil))
        == Refusal(.badRequest, "invalid_request"))
    #expect(
      try await refusal(scene.askForToken(assertion, grant: "password"))
        == Refusal(.badRequest, "unsupported_grant_type"))
    let json = try await scene.play.send(
      HTTPRequestMessage(
        method: .post, url: "https://oauth2.googleapis.com/token",
        headers: [.contentType: "application/json"], body: Array("{}".utf8)))
    #expect(try refusal(json) == Refusal(.badRequest, "invalid_request"))
  }

  @Test("a token ends after 3599 seconds of the simulator's clock, and by order")
  func expiry() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard")
    let path = "subscriptionsv2/tokens/\(purchase.purchaseToken)"
    let token = "Bearer " + (try await scene.accessToken())
    scene.advance(.seconds(3598))
    #expect(try await scene.send(.get, path, authorization: token).status == .ok)
    scene.advance(.seconds(1))
    let late = try await scene.send(.get, path, authorization: token)
    #expect(late.status == .unauthorized)
    #expect(late.failure == Failure(401, "UNAUTHENTICATED", "authError"))
    let next = "Bearer " + (try await scene.accessToken())
    #expect(try await scene.send(.get, path, authorization: next).status == .ok)
    scene.play.revokeAccessTokens()
    #expect(try await scene.send(.get, path, authorization: next).status == .unauthorized)
  }

  @Test("no token, another scheme and a token for another scope are refused")
  func authorization() async throws {
    let scene = try PlayScene()
    let path = "voidedpurchases"
    let missing = try await scene.send(.get, path, authorization: "")
    #expect(missing.failure == Failure(401, "UNAUTHENTICATED", "required"))
    for field in ["Basic abc", "Bearer ", "Bearer ya29.guess"] {
      let response = try await scene.send(.get, path, authorization: field)
      #expect(response.failure == Failure(401, "UNAUTHENTICATED", "authError"))
    }
    let response = try await scene.askForToken(
      try scene.assertion(claims: [
        "scope": .string("https://www.googleapis.com/auth/cloud-platform")
      ]))
    let other = try #require(JSONValue(parsing: response.body)["access_token"]?.string)
    let refused = try await scene.send(.get, path, authorization: "Bearer \(other)")
    #expect(refused.failure == Failure(403, "PERMISSION_DENIED", "insufficientPermissions"))
  }
}
