import Foundation
import InMemoryStorage
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// Credit rules, sections 1 to 4, 7 and 9.
@Suite("Verifying a purchase of credits")
struct VerifyRouteTests {
  private static let event = "payment.apple_iap:2000000900000001"

  @Test("credits are granted, and then they were; the members are in the order of the contract")
  func granted() async throws {
    let scene = try await CreditScene()
    let first = try await scene.verify()
    #expect(first.status == .ok)
    #expect(first.headers.values(for: .contentType) == ["application/json; charset=utf-8"])
    #expect(
      first.text
        == #"{"status":"granted","productCode":"welcome_pack","transactionId":"2000000900000001","creditsAdded":60,"newBalance":160,"ledgerEventId":"\#(Self.event)"}"#
    )
    let again = try await scene.verify()
    #expect(
      again.text
        == #"{"status":"already_granted","productCode":"welcome_pack","transactionId":"2000000900000001","creditsAdded":0,"newBalance":160,"ledgerEventId":"\#(Self.event)"}"#
    )
    #expect(try await scene.balance() == 160)
  }

  @Test("without a user, the answer is 401, whatever the body")
  func unauthenticated() async throws {
    let scene = try await CreditScene()
    let good = try scene.body(of: .init())
    for body in [good, "", "{}", "[", String(repeating: " ", count: 65 << 10)] {
      let response = try await scene.verify(body, user: nil)
      #expect(response.problem == .unauthenticated)
      #expect(response.headers.values(for: .authenticate) == ["Bearer"])
    }
    // The token of a service is not one of a user.
    let response = try await scene.send(
      .post, "/payments/apple/transactions/verify", Array(good.utf8),
      token: CreditScene.serviceToken)
    #expect(response.problem == .unauthenticated)
    #expect(try await scene.balance() == 100)
  }

  @Test(
    "a body that is not a JSON object is refused as a whole",
    arguments: [
      ("", "not_json"), (" ", "not_json"), ("{", "not_json"), ("{}x", "not_json"),
      ("{\"a\":1,}", "not_json"), ("{'a':1}", "not_json"), ("\u{FEFF}{}", "not_json"),
      ("nul", "not_json"), ("productCode=welcome_pack", "not_json"), ("{}{}", "not_json"),
      (String(repeating: "[", count: 100) + String(repeating: "]", count: 100), "not_json"),
      ("[]", "wrong_type"), ("null", "wrong_type"), ("7", "wrong_type"), ("\"{}\"", "wrong_type"),
      ("true", "wrong_type"), ("[{}]", "wrong_type"),
    ])
  func wholeBody(body: String, reason: String) async throws {
    let scene = try await CreditScene()
    #expect(try await scene.verify(body).problem == .fault("body", reason))
  }

  @Test("a body that is not UTF-8 is not JSON")
  func encoding() async throws {
    let scene = try await CreditScene()
    for bytes: [UInt8] in [[0xFF], Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)] {
      let response = try await scene.send(.post, "/payments/apple/transactions/verify", bytes)
      #expect(response.problem == .fault("body", "not_json"))
    }
  }

  @Test("a body may have 64 KiB, and no byte more, declared or not")
  func bodySize() async throws {
    let scene = try await CreditScene()
    let body = try scene.body(of: .init())
    let room = (64 << 10) - body.utf8.count
    #expect(
      try await scene.verify(body + String(repeating: " ", count: room + 1)).problem
        == .fault("body", "too_large"))
    let declared = try await scene.send(
      .post, "/payments/apple/transactions/verify", headers: [.contentLength: "65537"])
    #expect(declared.problem == .fault("body", "too_large"))
    #expect(try await scene.balance() == 100)
    #expect(try await scene.verify(body + String(repeating: " ", count: room)).status == .ok)
  }

  @Test("a compressed body is told to come without")
  func coded() async throws {
    let scene = try await CreditScene()
    let response = try await scene.send(
      .post, "/payments/apple/transactions/verify", [0x1F, 0x8B],
      headers: [.contentEncoding: "gzip"])
    #expect(response.problem == ProblemBody(415, "UNSUPPORTED_MEDIA_TYPE"))
    #expect(response.headers.values(for: .acceptEncoding) == ["identity"])
  }

  /// The members of a request, each as JSON.
  private static let members: [(name: String, value: String)] = [
    ("productCode", #""welcome_pack""#), ("appStoreProductId", #""com.example.gems.welcome""#),
    ("transactionId", #""2000000900000001""#), ("signedTransactionInfo", #""e30.e30.e30""#),
    ("appAccountToken", "null"),
  ]

  private static func body(_ name: String, _ value: String?) -> String {
    let all = members.compactMap { member in
      (member.name == name ? value : member.value).map { #""\#(member.name)":\#($0)"# }
    }
    return "{" + all.joined(separator: ",") + "}"
  }

  @Test("a required text is there, is a text, and is not empty")
  func requiredTexts() async throws {
    let scene = try await CreditScene()
    for name in ["productCode", "appStoreProductId", "transactionId", "signedTransactionInfo"] {
      for (value, reason) in [
        (nil, "missing"), ("null", "missing"), ("7", "wrong_type"), ("1e999", "wrong_type"),
        ("true", "wrong_type"), ("[]", "wrong_type"), (#"["a"]"#, "wrong_type"),
        ("{}", "wrong_type"), (#""""#, "empty"),
      ] {
        #expect(
          try await scene.verify(Self.body(name, value)).problem == .fault(name, reason))
      }
    }
  }

  @Test(
    "a text has at most so many Unicode scalars",
    arguments: [
      ("productCode", 32), ("appStoreProductId", 128), ("transactionId", 64),
      ("signedTransactionInfo", 32_768),
    ])
  func longTexts(name: String, limit: Int) async throws {
    let scene = try await CreditScene()
    let scalar = limit > 1000 ? "a" : "\u{1F48E}"
    let long = "\"\(String(repeating: scalar, count: limit + 1))\""
    #expect(
      try await scene.verify(Self.body(name, long)).problem
        == .fault(name, "too_long", max: limit))
    let longest = "\"\(String(repeating: scalar, count: limit))\""
    let answer = try await scene.verify(Self.body(name, longest)).problem
    #expect(answer?.code != "REQUEST_VALIDATION_FAILED")
    // A letter with marks is one character to a reader, and several scalars.
    if limit < 1000 {
      let marked = "\"a\(String(repeating: "\u{301}", count: limit))\""
      #expect(
        try await scene.verify(Self.body(name, marked)).problem
          == .fault(name, "too_long", max: limit))
    }
  }

  @Test(
    "an account token is a UUID",
    arguments: [
      ("7", "wrong_type"), ("false", "wrong_type"), ("[]", "wrong_type"), (#""""#, "empty"),
      (#""abc""#, "not_a_uuid"), (#"" ""#, "not_a_uuid"),
      (#""6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a1""#, "not_a_uuid"),
      (#""6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a100""#, "not_a_uuid"),
      (#""6f1c3a520c1e4f579a550d3b1c7e9a10""#, "not_a_uuid"),
      (#"" 6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10""#, "not_a_uuid"),
      (#""{6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10}""#, "not_a_uuid"),
      (#""0x1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10""#, "not_a_uuid"),
      (#""6f1c3a5-20c1e-4f57-9a55-0d3b1c7e9a10""#, "not_a_uuid"),
      (#""6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a1g""#, "not_a_uuid"),
    ])
  func accountToken(value: String, reason: String) async throws {
    let scene = try await CreditScene()
    #expect(
      try await scene.verify(Self.body("appAccountToken", value)).problem
        == .fault("appAccountToken", reason))
  }

  @Test("the first fault in the order of the contract is the one reported")
  func firstFault() async throws {
    let scene = try await CreditScene()
    var remaining = Self.members.map(\.name).dropLast()
    while let name = remaining.first {
      // This member and all behind it are wrong, also in another order in the text.
      let wrong = Self.members.map { member in
        let isWrong = remaining.contains(member.name) || member.name == "appAccountToken"
        return #""\#(member.name)":\#(isWrong ? "7" : member.value)"#
      }
      for members in [wrong, wrong.reversed()] {
        #expect(
          try await scene.verify("{\(members.joined(separator: ","))}").problem
            == .fault(name, "wrong_type"))
      }
      remaining = remaining.dropFirst()
    }
  }

  @Test("unknown members are ignored, and the first of two with one name counts")
  func otherMembers() async throws {
    let scene = try await CreditScene()
    let body = try scene.body(of: .init())
    let more = body.dropLast() + #","productCode":7,"userId":"u2","x":[{"y":null}],"":1e999}"#
    #expect(try await scene.verify(String(more)).status == .ok)
    #expect(try await scene.balance() == 160)
    #expect(try await scene.balance(of: "u2") == 0)
  }

  @Test("nothing is trimmed")
  func spaces() async throws {
    let scene = try await CreditScene()
    let jws = try scene.authority.sign(CreditScene.transaction())
    #expect(
      try await scene.verify(scene.body(code: " welcome_pack", jws: jws)).problem
        == ProblemBody(404, "PAYMENT_PRODUCT_NOT_FOUND", #"{"productCode":" welcome_pack"}"#))
    #expect(
      try await scene.verify(scene.body(transactionID: "2000000900000001 ", jws: jws)).problem
        == .invalid("transaction_id_mismatch"))
    #expect(
      try await scene.verify(scene.body(jws: jws + " ")).problem == .invalid("malformed"))
  }

  @Test("an unknown or disabled code comes before a forged transaction")
  func unknownProduct() async throws {
    let scene = try await CreditScene()
    for code in ["no_pack", "old_pack", "WELCOME_PACK", "welcome_pac\\u0000"] {
      #expect(
        try await scene.verify(scene.body(code: code, jws: "forged")).problem
          == ProblemBody(404, "PAYMENT_PRODUCT_NOT_FOUND", #"{"productCode":"\#(code)"}"#))
    }
  }

  @Test("a forged transaction comes before a wrong product, and that before a wrong id")
  func order() async throws {
    let scene = try await CreditScene()
    let forged = try TestAuthority { $0.signer = .stranger }
    let jws = try forged.sign(CreditScene.transaction())
    #expect(
      try await scene.verify(scene.body(productID: CreditScene.big, jws: jws)).problem?.code
        == "PAYMENT_TRANSACTION_INVALID")
    let good = try scene.authority.sign(CreditScene.transaction("1", product: CreditScene.big))
    #expect(
      try await scene.verify(scene.body(transactionID: "2", jws: good)).problem
        == ProblemBody(
          422, "PAYMENT_PRODUCT_MISMATCH",
          #"{"appStoreProductId":"com.example.gems.welcome","productCode":"welcome_pack"}"#))
    #expect(
      try await scene.verify(
        scene.body(code: "big_pack", productID: CreditScene.big, transactionID: "2", jws: good)
      ).problem == .invalid("transaction_id_mismatch"))
  }

  @Test("signed data is refused with the reason")
  func reasons() async throws {
    let scene = try await CreditScene()
    let jws = try scene.authority.sign(CreditScene.transaction())
    var changed = jws.split(separator: ".").map(String.init)
    changed[1] = TestSession.encoded(#"{"bundleId":"com.example.gems","signedDate":1700000000000}"#)
    let stranger = try TestAuthority()
    var cases: [(String, String)] = [
      ("e30", "malformed"), ("a.b.c", "malformed"), (jws + ".", "malformed"),
      ("eyJhbGciOiJub25lIn0.e30.", "malformed"),
      (changed.joined(separator: "."), "signature_invalid"),
      (try stranger.sign(CreditScene.transaction()), "chain_invalid"),
    ]
    var transaction = CreditScene.transaction()
    transaction.bundleID = "com.example.other"
    cases.append((try scene.authority.sign(transaction), "bundle_id_mismatch"))
    transaction = CreditScene.transaction()
    transaction.environment = .xcode
    cases.append((try scene.authority.sign(transaction), "environment_not_allowed"))
    for change: (inout Transaction) -> Void in [
      { $0.transactionID = nil }, { $0.productID = nil }, { $0.bundleID = nil },
      { $0.environment = nil }, { $0.quantity = 0 }, { $0.quantity = -1 },
    ] {
      transaction = CreditScene.transaction()
      change(&transaction)
      cases.append((try scene.authority.sign(transaction), "payload_invalid"))
    }
    for (text, reason) in cases {
      let answer = try await scene.verify(scene.body(jws: text))
      #expect(answer.problem == .invalid(reason), "\(reason)")
    }
    #expect(try await scene.balance() == 100)
  }

  @Test("only the environments of the settings get credits")
  func environments() async throws {
    var purchase = CreditScene.Purchase(transaction: CreditScene.transaction("7"))
    purchase.transaction.environment = .sandbox
    let both = try await CreditScene()
    #expect(try await both.verify(purchase).status == .ok)
    let one = try await CreditScene(environments: [.production])
    #expect(try await one.verify(purchase).problem == .invalid("environment_not_allowed"))
  }

  @Test("the account tokens have to fit")
  func accountTokens() async throws {
    let (a, b) = (
      try #require(UUID(uuidString: "6F1C3A52-0C1E-4F57-9A55-0D3B1C7E9A10")),
      try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000000"))
    )
    func json(_ token: UUID) -> String { #""\#(token.uuidString.lowercased())""# }
    let mismatch = ProblemBody.invalid("app_account_token_mismatch")
    let rows: [(request: String?, signed: UUID?, host: UUID?, refusal: ProblemBody?)] = [
      (nil, nil, b, nil), ("null", nil, nil, nil), (nil, a, nil, nil), ("null", a, a, nil),
      (nil, a, b, mismatch), (json(a), nil, nil, mismatch), (json(a), b, b, mismatch),
      (json(a), a, nil, nil), (json(a), a, a, nil), (json(a), a, b, mismatch),
      (json(a).uppercased(), a, a, nil),
    ]
    for row in rows {
      var accounts = CreditScene.Accounts()
      accounts.tokens["u1"] = row.host
      let scene = try await CreditScene(accounts: accounts)
      var purchase = CreditScene.Purchase(token: row.request)
      purchase.transaction.appAccountToken = row.signed
      let response = try await scene.verify(purchase)
      #expect(response.problem == row.refusal)
      #expect(response.status.code == row.refusal?.status ?? 200)
    }
  }

  @Test("another user gets a conflict that does not name the owner")
  func conflict() async throws {
    let scene = try await CreditScene()
    #expect(try await scene.verify().status == .ok)
    let response = try await scene.verify(user: "u2")
    #expect(
      response.problem
        == ProblemBody(
          409, "PAYMENT_TRANSACTION_CONFLICT", #"{"transactionId":"2000000900000001"}"#))
    #expect(!response.text.contains("u1"))
  }

  @Test("a starter pack is sold once to an e-mail address")
  func starter() async throws {
    let accounts = CreditScene.Accounts(emailAddresses: [
      "u1": " Ann@Example.COM ", "u2": "ann@example.com",
    ])
    let scene = try await CreditScene(accounts: accounts)
    #expect(try await scene.verify().status == .ok)
    let other = CreditScene.Purchase(transaction: CreditScene.transaction("2000000900000002"))
    let response = try await scene.verify(other, user: "u2")
    #expect(
      response.problem
        == ProblemBody(
          409, "PAYMENT_STARTER_PACK_INELIGIBLE", #"{"productCode":"welcome_pack"}"#))
    #expect(!response.text.lowercased().contains("ann@example.com"))
  }

  @Test("users whose e-mail address is empty or white space are identities of their own")
  func blankAddresses() async throws {
    let accounts = CreditScene.Accounts(emailAddresses: ["u1": " \t\n", "u2": "", "u3": " "])
    let scene = try await CreditScene(accounts: accounts)
    for (number, user) in ["u1", "u2", "u3"].enumerated() {
      let purchase = CreditScene.Purchase(transaction: CreditScene.transaction("1\(number)"))
      #expect(try await scene.verify(purchase, user: user).status == .ok)
      let second = CreditScene.Purchase(transaction: CreditScene.transaction("2\(number)"))
      #expect(
        try await scene.verify(second, user: user).problem?.code
          == "PAYMENT_STARTER_PACK_INELIGIBLE")
    }
    let claims = try await scene.api.credits.store.read { records in
      var claims: [Bool] = []
      for user in ["u1", "u2", "u3"] {
        claims.append(try await records.starterClaims.find(identity: "user:\(user)") != nil)
      }
      return claims
    }
    #expect(claims == [true, true, true])
  }

  @Test("a revoked transaction gives nothing")
  func revoked() async throws {
    let scene = try await CreditScene()
    var purchase = CreditScene.Purchase()
    purchase.transaction.revocationDate = CreditScene.now
    #expect(
      try await scene.verify(purchase).problem
        == ProblemBody(
          409, "PAYMENT_TRANSACTION_REVOKED", #"{"transactionId":"2000000900000001"}"#))
    #expect(try await scene.balance() == 100)
  }

  @Test("credits that overflow are refused, and nothing is written")
  func overflow() async throws {
    let scene = try await CreditScene()
    var purchase = CreditScene.Purchase(
      transaction: CreditScene.transaction("7", product: CreditScene.big), code: "big_pack")
    purchase.transaction.quantity = Int.max
    #expect(try await scene.verify(purchase).problem == .invalid("amount_out_of_range"))
    let rich = try await CreditScene(startingBalance: Int.max - 499)
    purchase.transaction.quantity = 1
    #expect(try await rich.verify(purchase).problem == .invalid("amount_out_of_range"))
    #expect(try await rich.balance() == Int.max - 499)
    purchase.transaction.quantity = 3
    let response = try await scene.verify(purchase)
    #expect(response.text.contains(#""creditsAdded":1500,"newBalance":1600,"#))
  }

  @Test("a failure of the store is 503, and reveals nothing")
  func brokenStore() async throws {
    let store = WrappedStore(InMemoryPurchaseStore()) { _, _ in throw SecretFailure() }
    let scene = try await CreditScene(store: store)
    let response = try await scene.verify()
    #expect(response.problem == .unavailable)
    #expect(response.headers.values(for: .retryAfter) == ["5"])
    #expect(!response.text.contains("hunter2"))
    guard case .failed(let error)? = scene.reports.all.last?.outcome else {
      Issue.record("not reported")
      return
    }
    #expect(error is SecretFailure)
  }

  @Test("an unexpected error of the authenticator is 500, and a cancelled request 503")
  func brokenAuthenticator() async throws {
    let broken = try await CreditScene(users: FixedAuthenticator(failure: SecretFailure()))
    #expect(try await broken.verify().problem == .failed)
    let cancelled = try await CreditScene(users: FixedAuthenticator(failure: CancellationError()))
    #expect(try await cancelled.verify().problem == .unavailable)
    let expired = try await CreditScene(
      users: FixedAuthenticator(failure: AuthenticationFailure.inactiveToken))
    #expect(try await expired.verify().problem == .unauthenticated)
  }

  @Test(
    "a caller whose name is no account identifier is no user", arguments: ["", " u1", "ü", "u 1"])
  func strangeNames(name: String) async throws {
    let scene = try await CreditScene(users: NamingAuthenticator(name: name))
    #expect(try await scene.verify().problem == .unauthenticated)
  }

  private struct NamingAuthenticator: Authenticator {
    let name: String
    func caller(token: String) -> Caller { Caller(name: name) }
  }
}
