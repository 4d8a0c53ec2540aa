import GooglePlayVerifier
import JSONValues
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite("Service accounts")
struct ServiceAccountTests {
  /// A key file in Google's form, with members changed.
  static func keyFile(_ changes: [String: JSONValue] = [:]) throws -> [UInt8] {
    var members: [String: JSONValue] = [
      "type": .string("service_account"), "project_id": .string("reader"),
      "private_key_id": .string("0123abcd"),
      "private_key": .string(try TestAccount.shared.get().pem),
      "client_email": .string("play@reader.iam.gserviceaccount.com"),
      "client_id": .string("1234"),
      "auth_uri": .string("https://accounts.google.com/o/oauth2/auth"),
      "token_uri": .string("https://oauth2.googleapis.com/token"),
    ]
    for (name, value) in changes { members[name] = value == .null ? nil : value }
    return JSONValue.object(members).serialized
  }

  @Test("a key file is read")
  func keyFile() throws {
    let account = try GoogleServiceAccount(keyFile: Self.keyFile())
    #expect(account.clientEmail == "play@reader.iam.gserviceaccount.com")
    #expect(account.privateKeyID == "0123abcd")
    #expect(account.tokenURI == "https://oauth2.googleapis.com/token")
  }

  @Test(
    "each member that is used has to be there, as a text",
    arguments: ["client_email", "private_key", "private_key_id", "token_uri"])
  func members(name: String) throws {
    let absent = FieldTypeFailure(path: name, expected: .string, found: .absent)
    for value in [JSONValue.null, .string("")] {
      #expect(throws: ServiceAccountFailure.malformed(absent)) {
        try GoogleServiceAccount(keyFile: Self.keyFile([name: value]))
      }
    }
    let wrong = FieldTypeFailure(path: name, expected: .string, found: .integer)
    #expect(throws: ServiceAccountFailure.malformed(wrong)) {
      try GoogleServiceAccount(keyFile: Self.keyFile([name: .integer(1)]))
    }
  }

  @Test("what is no key file is refused")
  func refusals() throws {
    #expect(throws: ServiceAccountFailure.notJSON) { try GoogleServiceAccount(keyFile: []) }
    #expect(
      throws: ServiceAccountFailure.malformed(FieldTypeFailure(expected: .object, found: .array))
    ) { try GoogleServiceAccount(keyFile: Array("[]".utf8)) }
    #expect(throws: ServiceAccountFailure.tooLarge(limit: 65_536)) {
      try GoogleServiceAccount(keyFile: [UInt8](repeating: 0x20, count: 65_537))
    }
    #expect(throws: ServiceAccountFailure.notServiceAccount) {
      try GoogleServiceAccount(keyFile: Self.keyFile(["type": .string("authorized_user")]))
    }
  }

  @Test("the key has to be an RSA key of 2048 bits at least")
  func keys() throws {
    #expect(throws: ServiceAccountFailure.malformedKey) {
      try GoogleServiceAccount(keyFile: Self.keyFile(["private_key": .string("secret")]))
    }
    let curve = try PrivateKey(generating: .p256).pem
    #expect(throws: ServiceAccountFailure.keyNotRSA) {
      try GoogleServiceAccount(keyFile: Self.keyFile(["private_key": .string(curve)]))
    }
  }

  @Test(
    "the token URI has to be an address with TLS",
    arguments: [
      "http://oauth2.googleapis.com/token", "ftp://example.com", "token", "https://",
      "https://example.com/a b", "https://example.com/#token",
    ])
  func tokenURI(text: String) throws {
    #expect(throws: ServiceAccountFailure.malformedTokenURI) {
      try GoogleServiceAccount(keyFile: Self.keyFile(["token_uri": .string(text)]))
    }
  }

  @Test("an address without TLS is taken when a test says so")
  func plainTokenURI() throws {
    let file = try Self.keyFile(["token_uri": .string("http://127.0.0.1:8080/token")])
    #expect(
      try GoogleServiceAccount(keyFile: file, allowsHTTP: true).tokenURI
        == "http://127.0.0.1:8080/token")
  }

  @Test("the key is never printed")
  func secrets() throws {
    let account = try GoogleServiceAccount(keyFile: Self.keyFile())
    let shown =
      printed(account)
      + printed(AccessTokenSource(account: account, transport: ScriptedTransport([])))
    for line in try TestAccount.shared.get().pem.split(separator: "\n") {
      #expect(!shown.contains(line))
    }
    #expect(shown.contains("0123abcd"))
  }
}
