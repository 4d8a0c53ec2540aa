import EntitlementPolicy
import Testing

@Suite("Warnings about product lists")
struct ProductListLintTests {
  private let subscription = "renewableSubscription"

  @Test(
    "Discounts on anything but subscriptions are generated, with a warning",
    arguments: ["consumable", "nonConsumable"])
  func discounts(type: String) throws {
    let json = list(element("a", type, #""discountedProducts":["b"]"#))
    #expect(try warnings(json) == ["0 discount_on_non_subscription discountedProducts \(type)"])
    #expect(try catalog(json).products.map(\.identifier) == ["a", "b"])
    #expect(try catalog(json)["b"]?.type.rawValue == type)
  }

  @Test("`unlocks` on anything but subscriptions is ignored, with a warning")
  func unlocks() throws {
    let json = list(element("a", "consumable", #""unlocks":["nope"]"#))
    #expect(try warnings(json) == ["0 unlocks_on_non_subscription unlocks consumable"])
    #expect(try catalog(json)["a"]?.unlocks == nil)
    #expect(try warnings(list(element("a", "nonRenewingSubscription", #""unlocks":[]"#))) == [])
  }

  @Test("A discount that is repeated belongs to the first product that lists it")
  func repeats() throws {
    let json = list(
      element("a", subscription, #""discountedProducts":["a","b","b","c"]"#),
      element("c", subscription, #""discountedProducts":["b","d"]"#))
    #expect(
      try warnings(json) == [
        "0 discount_repeated discountedProducts[0] a",
        "0 discount_repeated discountedProducts[2] b",
        "0 discount_already_listed discountedProducts[3] c",
        "1 discount_repeated discountedProducts[0] b",
      ])
    let catalog = try catalog(json)
    #expect(catalog.products.map(\.identifier) == ["a", "b", "c", "d"])
    #expect(catalog.products.map(\.discountOf) == [nil, "a", "a", "c"])
    #expect(catalog["a"]?.discountedProducts == ["b", "c"])
    #expect(catalog["c"]?.discountedProducts == ["d"] && catalog["b"]?.discountedProducts == nil)
  }

  @Test("Two products may be discounts of each other")
  func cycle() throws {
    let json = list(
      element("a", subscription, #""discountedProducts":["b"]"#),
      element("b", subscription, #""discountedProducts":["a"]"#))
    #expect(
      try warnings(json) == [
        "0 discount_already_listed discountedProducts[0] b",
        "1 discount_already_listed discountedProducts[0] a",
      ])
    #expect(try catalog(json).products.map(\.discountOf) == ["b", "a"])
  }

  @Test("Nothing of a dropped element counts, and it has one warning")
  func dropped() throws {
    let json = list(
      element("a"),
      element(
        "a", "consumable",
        #""x":1,"discountedProducts":["b"],"unlocks":["c"],"contentFetcherParameters":{"type":"x"}"#
      ))
    #expect(try warnings(json) == ["1 duplicate_identifier identifier a"])
    #expect(try catalog(json).products.map(\.identifier) == ["a"])
  }

  @Test("A generated discount is a copy of its full-price product")
  func copies() throws {
    let json = list(
      element(
        "s", subscription,
        #""isSubscribersOnly":true,"unlocks":["p"],"discountedProducts":["t"],"contentFetcherParameters":{"type":"local","URL":"file:///s"}"#
      ),
      element("p"))
    let catalog = try catalog(json)
    let (full, discount) = (try #require(catalog["s"]), try #require(catalog["t"]))
    #expect(discount.discountOf == "s" && discount.discountedProducts == nil)
    #expect(discount.type == full.type && discount.isSubscribersOnly)
    #expect(discount.unlocks == full.unlocks && full.unlocks?.entries == ["p"])
    #expect(
      discount.content == full.content && full.content == .local(ContentSource(url: "file:///s")))
    #expect(try warnings(json) == ["0 subscribers_only_subscription isSubscribersOnly s"])
  }

  @Test(
    "An entry of `unlocks` that matches nothing that can be unlocked has a warning",
    arguments: [
      ("p", true), ("q", true), ("p*", true), ("*", true), ("q.*", false), ("q*", true),
      ("pp", false), ("P", false), ("c", false), ("c*", false), ("s", false), ("pé", true),
      ("pe\u{301}", false), ("pé*", true), ("n", false), ("o", false),
    ])
  func nothing(entry: String, unlocks: Bool) throws {
    let json = list(
      element("s", subscription, #""unlocks":["\#(entry)"]"#),
      element("p", "nonConsumable", #""discountedProducts":["q"]"#), element("pé"),
      element("c", "consumable"), element("n", "nonRenewingSubscription"))
    let expected = unlocks ? [] : ["0 unlocks_nothing unlocks[0] \(entry)"]
    #expect(
      try warnings(json) == expected + [
        "1 discount_on_non_subscription discountedProducts nonConsumable"
      ])
    #expect(try catalog(json)["s"]?.unlocks?.entries == (unlocks ? [entry] : []))
  }

  @Test("A subscribers-only product that no subscription unlocks has a warning")
  func unreachable() throws {
    let only = #""isSubscribersOnly":true"#
    let unlocks = { (entries: String) in element("s", self.subscription, #""unlocks":\#(entries)"#)
    }
    let warning = ["0 subscribers_only_unreachable isSubscribersOnly p.a"]
    let product = element("p.a", "nonConsumable", only)
    #expect(try warnings(list(product)) == warning)
    #expect(try warnings(list(product, unlocks("null"))) == [])
    #expect(try warnings(list(product, unlocks("[]"))) == warning)
    #expect(try warnings(list(product, unlocks(#"["p.*"]"#))) == [])
    #expect(try warnings(list(product, unlocks(#"["p.a"]"#))) == [])
    #expect(
      try warnings(list(product, unlocks(#"["p.b"]"#)))
        == warning + ["1 unlocks_nothing unlocks[0] p.b"])
    // A consumable cannot be unlocked at all.
    #expect(
      try warnings(list(element("c", "consumable", only), unlocks("null")))
        == ["0 subscribers_only_unreachable isSubscribersOnly c"])
    // A discount is a product of its own.
    #expect(
      try warnings(
        list(
          element("p.a", "nonConsumable", only + #","discountedProducts":["q"]"#),
          unlocks(#"["p.a"]"#)))
        == [
          "0 subscribers_only_unreachable isSubscribersOnly q",
          "0 discount_on_non_subscription discountedProducts nonConsumable",
        ])
  }

  @Test("Descriptors are kept, with a warning where fetching must fail")
  func content() throws {
    let source = { (type: String, url: String) in #"{"type":"\#(type)","URL":"\#(url)"}"# }
    let sources = [
      source("remote", "https:///a"), source("remote", ""), source("remote", "nonsense"),
      source("remote", "https://u:p@/a"), source("remote", "https://:80/a"),
      source("remote", "ftp://example.org/a"), source("local", "file:///a"),
      #"{"type":"carrier","pigeon":1}"#,
    ]
    let json = list(
      element(
        "a", "nonConsumable",
        #""contentFetcherParameters":{"type":"fallback","sources":[\#(sources.joined(separator: ","))]}"#
      ))
    let path = "0 content_url_without_host contentFetcherParameters.sources"
    #expect(
      try warnings(json) == [
        "\(path)[0].URL https:///a", "\(path)[1].URL ", "\(path)[2].URL nonsense",
        "\(path)[3].URL https://u:p@/a", "\(path)[4].URL https://:80/a",
        "0 unknown_content_type contentFetcherParameters.sources[7].type carrier",
      ])
    guard case .fallback(let kept) = try catalog(json).products[0].content else {
      Issue.record("no fallback")
      return
    }
    #expect(kept.count == 8 && kept.last == .unknown(type: "carrier"))
  }

  @Test("Digests and limits of sources are kept")
  func sources() throws {
    let digest = String(repeating: "aB", count: 32)
    let json = list(
      element(
        "a", "nonConsumable",
        #""contentFetcherParameters":{"type":"remote","URL":"https://example.org/a","sha256":"\#(digest)","maxBytes":9}"#
      ))
    let source = ContentSource(
      url: "https://example.org/a", sha256: String(repeating: "ab", count: 32), maximumByteCount: 9)
    #expect(try catalog(json).products[0].content == .remote(source))
  }

  @Test("Unknown keys come after the others, in the order of the list")
  func unknownKeys() throws {
    let json = list(
      element(
        "a", "consumable",
        #""price":1,"discountOf":"b","unlocks":[],"contentFetcherParameters":{"type":"local","URL":"","sha265":""},"Identifier":2"#
      ))
    #expect(
      try warnings(json) == [
        "0 unknown_key contentFetcherParameters.sha265 -",
        "0 unlocks_on_non_subscription unlocks consumable", "0 unknown_key price -",
        "0 unknown_key discountOf -", "0 unknown_key Identifier -",
      ])
    #expect(try catalog(json)["a"]?.discountOf == nil)
  }

  @Test("The first thousand warnings are kept, and all are counted")
  func many() throws {
    let keys = (0..<700).map { #""k\#($0)":0"# }.joined(separator: ",")
    let entries = Array(repeating: #""x""#, count: 400).joined(separator: ",")
    let json = list(
      element("s", subscription, #""unlocks":[\#(entries)]"#), element("a", "consumable", keys),
      element("a"))
    let catalog = try catalog(json)
    #expect(catalog.warningCount == 1101 && catalog.warnings.count == 1000)
    #expect(catalog.warnings[399].key == "unlocks[399]" && catalog.warnings[400].key == "k0")
    #expect(catalog.warnings.last?.key == "k599")
  }

  @Test("A warning is one short line")
  func descriptions() throws {
    let text = String(repeating: "k", count: 300)
    let warnings = try catalog(list(element("a", "consumable", #""\n\#(text)":0"#))).warnings
    #expect(
      warnings.map(\.description) == [
        #"product list: element 0, key "\u{A}\#(String(repeating: "k", count: 254))…": unknown_key"#
      ])
    #expect(
      try catalog(list(element("s", subscription, #""unlocks":["x*"]"#))).warnings.first?
        .description
        == #"product list: element 0, key "unlocks[0]": unlocks_nothing "x*""#)
  }
}
