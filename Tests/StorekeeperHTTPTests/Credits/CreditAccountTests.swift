import CreditPolicy
import HTTPMessages
import InMemoryStorage
import PurchaseStorage
import ReceiptModels
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// The routes that the contract does not have (credit rules, sections 3, 5 and 8).
@Suite("Products, balance, ledger and entries")
struct CreditAccountTests {
  @Test("the products for sale are listed in their order")
  func products() async throws {
    let scene = try await CreditScene()
    let response = try await scene.send(.get, "/payments/apple/products")
    #expect(
      response.text
        == #"{"data":[{"productCode":"big_pack","appStoreProductId":"com.example.gems.big","credits":500,"type":"standard"},{"productCode":"welcome_pack","appStoreProductId":"com.example.gems.welcome","credits":60,"type":"starter"}]}"#
    )
    let empty = try await CreditScene(products: [])
    #expect(try await empty.send(.get, "/payments/apple/products").text == #"{"data":[]}"#)
  }

  @Test(
    "a session is asked for",
    arguments: ["/payments/apple/products", "/credits/balance", "/credits/ledger"])
  func sessions(path: String) async throws {
    let scene = try await CreditScene()
    #expect(try await scene.send(.get, path, user: nil).problem == .unauthenticated)
    let service = try await scene.send(.get, path, token: CreditScene.serviceToken)
    #expect(service.problem == .unauthenticated)
  }

  @Test("a user sees the own balance only")
  func balance() async throws {
    let scene = try await CreditScene()
    #expect(try await scene.send(.get, "/credits/balance").text == #"{"balance":100}"#)
    #expect(
      try await scene.send(.get, "/credits/balance?userId=u1", user: "u2").text
        == #"{"balance":0}"#)
  }

  @Test("the ledger has the newest entry first, with the members of the contract in order")
  func ledger() async throws {
    let scene = try await CreditScene()
    #expect(try await scene.verify().status == .ok)
    #expect(try await scene.notify(scene.notification()).status == .ok)
    let text = try await scene.send(.get, "/credits/ledger").text
    let expected =
      #"{"total":3,"page":1,"limit":20,"data":[{"event_id":"payment.apple_iap.refund:2000000900000001","change_type":"refund","biz_type":"payment","biz_id":"1","amount":-60,"balance_after":100,"metadata":{"ext":{"provider":"apple_iap","environment":"Production","transaction_id":"2000000900000001","original_event_id":"payment.apple_iap:2000000900000001","notification_uuid":"6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10","notification_type":"REFUND","original_amount":60,"clawed_back":60,"shortfall":0}}},"#
      + #"{"event_id":"payment.apple_iap:2000000900000001","change_type":"purchase","biz_type":"payment","biz_id":"1","amount":60,"balance_after":160,"metadata":{"ext":{"provider":"apple_iap","environment":"Production","bundle_id":"com.example.gems","product_code":"welcome_pack","app_store_product_id":"com.example.gems.welcome","transaction_id":"2000000900000001","original_transaction_id":"2000000900000001","quantity":1,"credits_per_unit":60,"purchase_date":1700000000000}}},"#
      + #"{"event_id":"start","change_type":"bonus","biz_type":"start","biz_id":"1","amount":100,"balance_after":100,"metadata":{}}]}"#
    #expect(text == expected)
    #expect(
      try await scene.send(.get, "/credits/ledger", user: "u2").text
        == #"{"total":0,"page":1,"limit":20,"data":[]}"#)
  }

  @Test("the ledger has pages")
  func pages() async throws {
    let scene = try await CreditScene()
    #expect(try await scene.verify().status == .ok)
    for (query, beginning, event) in [
      ("?per_page=1", #"{"total":2,"page":1,"limit":1,"#, #""event_id":"payment.apple_iap:"#),
      ("?page=2&per_page=1", #"{"total":2,"page":2,"limit":1,"#, #""event_id":"start""#),
      ("?page=3&per_page=1", #"{"total":2,"page":3,"limit":1,"data":[]}"#, ""),
      ("?page=&per_page=", #"{"total":2,"page":1,"limit":20,"#, #""event_id":"start""#),
      ("?page=1&per_page=100", #"{"total":2,"page":1,"limit":100,"#, ""),
      (
        "?page=9223372036854775807",
        #"{"total":2,"page":9223372036854775807,"limit":20,"data":[]}"#, ""
      ),
    ] {
      let text = try await scene.send(.get, "/credits/ledger" + query).text
      #expect(text.hasPrefix(beginning) && (event.isEmpty || text.contains(event)), "\(query)")
    }
  }

  @Test(
    "a page that is no page is refused",
    arguments: [
      ("page=0", "page"), ("page=-1", "page"), ("page=x", "page"), ("page=1.0", "page"),
      ("page=+1", "page"), ("page=%2B1", "page"), ("page=9223372036854775808", "page"),
      ("page=1&page=1", "page"), ("page=%FF", "page"), ("per_page=0", "per_page"),
      ("per_page=101", "per_page"), ("per_page=-1", "per_page"), ("per_page=ten", "per_page"),
      ("page=0&per_page=0", "page"),
    ])
  func badPages(query: String, field: String) async throws {
    let scene = try await CreditScene()
    #expect(
      try await scene.send(.get, "/credits/ledger?" + query).problem
        == .fault(field, "out_of_range"))
  }

  @Test("a failure of the store is 503", arguments: ["/credits/balance", "/credits/ledger"])
  func brokenStore(path: String) async throws {
    let store = WrappedStore(InMemoryPurchaseStore()) { _, _ in throw SecretFailure() }
    let scene = try await CreditScene(store: store)
    let response = try await scene.send(.get, path)
    #expect(response.problem == .unavailable)
    #expect(response.headers.values(for: .retryAfter) == ["5"])
  }

  // MARK: Entries of the host's own

  private static let members: [(name: String, value: String)] = [
    ("userId", #""u1""#), ("eventId", #""render:8841""#), ("changeType", #""spending""#),
    ("bizType", #""render""#), ("bizId", #""8841""#), ("amount", "-30"),
  ]

  private static func body(_ changes: [String: String?] = [:]) -> String {
    let all = members.compactMap { member in
      (changes[member.name] ?? member.value).map { #""\#(member.name)":\#($0)"# }
    }
    return "{" + all.joined(separator: ",") + "}"
  }

  @Test("a service books an event once")
  func book() async throws {
    let scene = try await CreditScene()
    #expect(try await scene.book(Self.body()).text == #"{"balance":70}"#)
    #expect(try await scene.book(Self.body()).text == #"{"balance":70}"#)
    let bonus = ["eventId": #""bonus:1""#, "amount": "5"]
    #expect(try await scene.book(Self.body(bonus)).text == #"{"balance":75}"#)
    // A repeated event has no effect, and the answer has the balance of now.
    #expect(try await scene.book(Self.body()).text == #"{"balance":75}"#)
    #expect(try await scene.book(Self.body(["amount": "-1000"])).text == #"{"balance":75}"#)
    let nothing = ["eventId": #""nothing""#, "amount": "0"]
    #expect(try await scene.book(Self.body(nothing)).text == #"{"balance":75}"#)
  }

  @Test("a balance is never below zero")
  func insufficient() async throws {
    let scene = try await CreditScene()
    for amount in ["-101", "-9223372036854775808"] {
      let response = try await scene.book(Self.body(["amount": amount]))
      #expect(
        response.text
          == #"{"type":"urn:problem:credit-balance-insufficient","title":"Balance insufficient","status":409,"detail":"The balance is too low for this amount.","code":"CREDIT_BALANCE_INSUFFICIENT"}"#
      )
    }
    #expect(
      try await scene.book(Self.body(["amount": "9223372036854775807"])).problem
        == .fault("amount", "out_of_range"))
    #expect(try await scene.balance() == 100)
    #expect(try await scene.book(Self.body(["amount": "-100"])).text == #"{"balance":0}"#)
  }

  @Test("only a trusted service books")
  func services() async throws {
    let scene = try await CreditScene()
    let body = Array(Self.body(["amount": "1000000"]).utf8)
    for response in [
      try await scene.send(.post, "/credits/entries", body, user: "u1"),
      try await scene.send(.post, "/credits/entries", body, user: nil),
      try await scene.send(.post, "/credits/entries", Array("[".utf8), user: nil),
    ] {
      #expect(response.problem == .unauthenticated)
      #expect(response.headers.values(for: .authenticate) == ["Bearer"])
    }
    #expect(try await scene.balance() == 100)
  }

  @Test("what is kept for purchases is refused")
  func reserved() async throws {
    let scene = try await CreditScene()
    for event in ["payment.apple_iap", "payment.apple_iap:7", "payment.apple_iap.refund:7"] {
      #expect(
        try await scene.book(Self.body(["eventId": "\"\(event)\""])).problem
          == .fault("eventId", "reserved"))
    }
    for type in ["purchase", "refund", "refund_reversal"] {
      #expect(
        try await scene.book(Self.body(["changeType": "\"\(type)\""])).problem
          == .fault("changeType", "reserved"))
    }
    #expect(try await scene.balance() == 100)
  }

  @Test("texts are measured in Unicode scalars, and those with too many bytes are too large")
  func lengths() async throws {
    let scene = try await CreditScene()
    func event(_ count: Int) -> String {
      Self.body(["eventId": "\"\(String(repeating: "ü", count: count))\""])
    }
    #expect(try await scene.book(event(256)).problem == .fault("eventId", "too_long", max: 255))
    let response = try await scene.book(event(130))
    #expect(response.problem == .fault("eventId", "too_large"))
    #expect(response.text.contains(#""detail":"eventId is too large.""#))
    #expect(try await scene.balance() == 100)
    #expect(try await scene.book(event(127)).text == #"{"balance":70}"#)
  }

  @Test("every member is required and checked, in their order")
  func members() async throws {
    let scene = try await CreditScene()
    var cases: [(String, String?, ProblemBody)] = []
    for (name, limit) in [
      ("userId", 128), ("eventId", 255), ("changeType", 64), ("bizType", 64), ("bizId", 255),
    ] {
      let long = "\"\(String(repeating: "a", count: limit + 1))\""
      cases += [
        (name, nil, .fault(name, "missing")), (name, "null", .fault(name, "missing")),
        (name, "7", .fault(name, "wrong_type")), (name, #""""#, .fault(name, "empty")),
        (name, long, .fault(name, "too_long", max: limit)),
        (name, #""a\u0000""#, .fault(name, "invalid")), (name, #""\n""#, .fault(name, "invalid")),
      ]
    }
    cases += [
      ("userId", #"" u1""#, .fault("userId", "invalid")),
      ("userId", #""ü""#, .fault("userId", "invalid")),
      ("amount", nil, .fault("amount", "missing")),
      ("amount", "null", .fault("amount", "missing")),
      ("amount", #""5""#, .fault("amount", "wrong_type")),
      ("amount", "1.5", .fault("amount", "wrong_type")),
      ("amount", "true", .fault("amount", "wrong_type")),
      ("amount", "9223372036854775808", .fault("amount", "out_of_range")),
      ("amount", "-9223372036854775809", .fault("amount", "out_of_range")),
      ("amount", "1e999", .fault("amount", "out_of_range")),
    ]
    for (name, value, problem) in cases {
      #expect(try await scene.book(Self.body([name: value])).problem == problem, "\(name)")
    }
    #expect(try await scene.book("").problem == .fault("body", "not_json"))
    #expect(try await scene.book("[]").problem == .fault("body", "wrong_type"))
    #expect(try await scene.book("{}").problem == .fault("userId", "missing"))
    #expect(
      try await scene.book(String(repeating: " ", count: (64 << 10) + 1)).problem
        == .fault("body", "too_large"))
    #expect(try await scene.balance() == 100)
  }
}
