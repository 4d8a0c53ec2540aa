import Foundation
import StorekeeperCrypto
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// RFC 7519; credit rules, sections 1 and 10.
@Suite("Session tokens")
struct SessionTokenTests {
  /// The present moment of every test.
  private static let now = 1_700_000_000

  private func name(
    claims: String, leeway: Duration = .seconds(60), issuer: String? = nil, audience: String? = nil,
    at now: Double = Double(now)
  ) async throws -> String {
    let tokens = SessionTokens(
      key: try SessionKey(secret: TestSession.secret), issuer: issuer, audience: audience,
      leeway: leeway, now: { Date(timeIntervalSince1970: now) })
    return try await tokens.caller(token: TestSession.token(claims: claims)).name
  }

  @Test("the subject is the name of the caller")
  func subject() async throws {
    let later = Self.now + 600
    #expect(try await name(claims: #"{"sub":"u1","exp":\#(later)}"#) == "u1")
    #expect(try await name(claims: #"{"x":{"sub":"u2"},"exp":\#(later),"sub":"u1"}"#) == "u1")
    let longest = String(repeating: "a", count: 128)
    #expect(try await name(claims: #"{"sub":"\#(longest)","exp":\#(later)}"#) == longest)
  }

  @Test("a token with ES256 is accepted by its public key")
  func publicKey() async throws {
    let key = try PrivateKey(generating: .p256)
    let tokens = SessionTokens(
      key: try SessionKey(publicKeyPEM: TestSession.pem(key.publicKey)),
      now: { Date(timeIntervalSince1970: Double(Self.now)) })
    let token = try TestSession.token(claims: #"{"sub":"u1","exp":1700000001}"#, key: key)
    #expect(try await tokens.caller(token: token) == Caller(name: "u1"))
  }

  @Test(
    "without a subject that is an account identifier nobody is known",
    arguments: [
      "", #""sub":null,"#, #""sub":"","#, #""sub":" ","#, #""sub":" u1","#, #""sub":"u1 ","#,
      #""sub":"u1\n","#, #""sub":"u\u0000","#, #""sub":"ü","#, #""sub":7,"#, #""sub":["u1"],"#,
      #""sub":"u1","sub":"u2","#, #""sub":"u1","sub":"u1","#, #""sub":"u1","\u0073ub":"u2","#,
      #""Sub":"u1","#, #""sub":"\#(String(repeating: "a", count: 129))","#,
    ])
  func noSubject(members: String) async throws {
    await #expect(throws: AuthenticationFailure.unknownToken) {
      try await name(claims: #"{\#(members)"exp":1700000600}"#)
    }
  }

  @Test(
    "a date of expiry is required",
    arguments: [
      "", #","exp":null"#, #","exp":"1700000600""#, #","exp":true"#, #","exp":[1700000600]"#,
      #","exp":1700000600,"exp":1700000600"#, #","exp":1e999"#,
    ])
  func noExpiry(members: String) async throws {
    await #expect(throws: AuthenticationFailure.unknownToken) {
      try await name(claims: #"{"sub":"u1"\#(members)}"#)
    }
  }

  @Test("a token ends at its expiry, with the leeway")
  func expiry() async throws {
    let claims = #"{"sub":"u1","exp":\#(Self.now)}"#
    let now = Double(Self.now)
    #expect(try await name(claims: claims, at: now + 59.999) == "u1")
    await #expect(throws: AuthenticationFailure.inactiveToken) {
      try await name(claims: claims, at: now + 60)
    }
    #expect(try await name(claims: claims, leeway: .zero, at: now - 0.001) == "u1")
    await #expect(throws: AuthenticationFailure.inactiveToken) {
      try await name(claims: claims, leeway: .zero, at: now)
    }
    // A negative leeway counts as none.
    await #expect(throws: AuthenticationFailure.inactiveToken) {
      try await name(claims: claims, leeway: .seconds(-60), at: now)
    }
    #expect(try await name(claims: claims, leeway: .seconds(-60), at: now - 1) == "u1")
    // Dates may have a fraction.
    let fraction = #"{"sub":"u1","exp":1700000000.5}"#
    #expect(try await name(claims: fraction, leeway: .zero, at: now + 0.25) == "u1")
    await #expect(throws: AuthenticationFailure.inactiveToken) {
      try await name(claims: fraction, leeway: .zero, at: now + 0.5)
    }
    for past in ["0", "-1", "-9223372036854775808", "1"] {
      await #expect(throws: AuthenticationFailure.inactiveToken) {
        try await name(claims: #"{"sub":"u1","exp":\#(past)}"#)
      }
    }
    #expect(try await name(claims: #"{"sub":"u1","exp":9223372036854775807}"#) == "u1")
  }

  @Test("a token begins at `nbf`, with the leeway")
  func start() async throws {
    let claims = #"{"sub":"u1","exp":1800000000,"nbf":\#(Self.now)}"#
    let now = Double(Self.now)
    #expect(try await name(claims: claims, at: now - 60) == "u1")
    await #expect(throws: AuthenticationFailure.inactiveToken) {
      try await name(claims: claims, at: now - 60.001)
    }
    #expect(try await name(claims: claims, leeway: .zero) == "u1")
    for wrong in ["null", #""0""#, "true", "{}"] {
      await #expect(throws: AuthenticationFailure.unknownToken) {
        try await name(claims: #"{"sub":"u1","exp":1800000000,"nbf":\#(wrong)}"#)
      }
    }
  }

  @Test("a required issuer is compared exactly")
  func issuer() async throws {
    let end = #""sub":"u1","exp":1700000600}"#
    #expect(try await name(claims: #"{"iss":"https://a.example","# + end) == "u1")
    #expect(
      try await name(claims: #"{"iss":"https://a.example","# + end, issuer: "https://a.example")
        == "u1")
    for wrong in [
      "", #""iss":"https://a.example/","#, #""iss":null,"#, #""iss":["https://a.example"],"#,
      #""iss":"HTTPS://A.EXAMPLE","#,
    ] {
      await #expect(throws: AuthenticationFailure.unknownToken) {
        try await name(claims: "{" + wrong + end, issuer: "https://a.example")
      }
    }
  }

  @Test("a required audience is one of those that the token names")
  func audience() async throws {
    let end = #""sub":"u1","exp":1700000600}"#
    for right in [#""aud":"app","#, #""aud":["app"],"#, #""aud":["web","app"],"#] {
      #expect(try await name(claims: "{" + right + end, audience: "app") == "u1")
      #expect(try await name(claims: "{" + right + end) == "u1")
    }
    for wrong in [
      "", #""aud":"web","#, #""aud":[],"#, #""aud":["web"],"#, #""aud":"app ","#, #""aud":null,"#,
      #""aud":{"app":"app"},"#, #""aud":[["app"]],"#, #""aud":"App","#,
    ] {
      await #expect(throws: AuthenticationFailure.unknownToken) {
        try await name(claims: "{" + wrong + end, audience: "app")
      }
    }
  }

  @Test(
    "claims that are not one JSON object are refused",
    arguments: [
      "", "null", "[]", #""u1""#, #"{"sub":"u1","exp":1700000600"#,
      #"{"sub":"u1","exp":1700000600}}"#, #"{"sub":"u1","exp":1700000600,}"#,
      "\u{FEFF}{\"sub\":\"u1\",\"exp\":1700000600}",
      #"{"sub":"u1","exp":1700000600,"x":"# + String(repeating: "[", count: 100)
        + String(repeating: "]", count: 100) + "}",
    ])
  func claims(text: String) async throws {
    await #expect(throws: AuthenticationFailure.unknownToken) { try await name(claims: text) }
  }

  @Test("colons and quotation marks inside values are not taken for members")
  func trickyText() async throws {
    let claims =
      #"{"a":"\\","b":":\":","c":{"sub":"u2","sub":"u3"},"d":[{"e":":"}],"sub":"u1","exp":1700000600}"#
    #expect(try await name(claims: claims) == "u1")
  }

  @Test("an overlong token is refused before it is read")
  func length() async throws {
    let fill = String(repeating: "a", count: 4096)
    await #expect(throws: AuthenticationFailure.unknownToken) {
      try await name(claims: #"{"sub":"u1","exp":1700000600,"x":"\#(fill)"}"#)
    }
  }

  @Test("a token with another secret, or with none, is refused")
  func otherSecret() async throws {
    let tokens = SessionTokens(
      key: try SessionKey(secret: TestSession.secret),
      now: { Date(timeIntervalSince1970: Double(Self.now)) })
    let claims = #"{"sub":"u1","exp":1700000600}"#
    var secret = TestSession.secret
    secret[31] ^= 1
    let unsigned = TestSession.encoded(#"{"alg":"none"}"#) + "." + TestSession.encoded(claims) + "."
    for token in [
      try TestSession.token(claims: claims, secret: secret),
      try TestSession.token(claims: claims, secret: []), unsigned, unsigned + "e30", "u1", "",
    ] {
      await #expect(throws: AuthenticationFailure.unknownToken) {
        try await tokens.caller(token: token)
      }
    }
  }
}
