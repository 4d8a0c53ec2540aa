import EntitlementPolicy
import Testing

@Suite("Faults of product lists")
struct ProductListFaultTests {
  @Test(
    "Faults of the whole file have no element",
    arguments: [
      ("", ProductListFailure.Reason.notJSON(offset: 0)), ("[", .notJSON(offset: 1)),
      ("\u{FEFF}[]", .notJSON(offset: 0)), ("[]]", .notJSON(offset: 2)),
      (#"[1,{"a":}]"#, .notJSON(offset: 8)), ("[1,]", .notJSON(offset: 3)),
      (#"{"a":1}"#, .notAnArray), ("null", .notAnArray), (" 12 ", .notAnArray),
    ])
  func file(json: String, reason: ProductListFailure.Reason) {
    let failure = failure(json)
    #expect(failure?.reason == reason)
    #expect(failure?.index == nil && failure?.key == nil)
  }

  @Test("Bytes that are no UTF-8 are no JSON")
  func encoding() {
    let json = Array(#"[{"identifier":""#.utf8) + [0xC3, 0x28] + Array(#""}]"#.utf8)
    let failure = #expect(throws: ProductListFailure.self) { try ProductCatalog(json: json) }
    #expect(failure?.reason == .notJSON(offset: 16))
  }

  @Test("8 MiB are read, one byte more is not")
  func size() throws {
    let space = [UInt8](repeating: 0x20, count: ProductCatalog.maximumByteCount - 2)
    #expect(try ProductCatalog(json: space + Array("[]".utf8)).products == [])
    let failure = #expect(throws: ProductListFailure.self) {
      try ProductCatalog(json: space + Array("[] ".utf8))
    }
    #expect(failure?.reason == .tooLarge(limit: 8 << 20))
  }

  @Test(
    "Each key has its type",
    arguments: [
      ("1", "0 - not an object"), ("null", "0 - not an object"), ("[]", "0 - not an object"),
      ("{}", "0 identifier missing"),
      (#"{"identifier":null}"#, "0 identifier missing"),
      (#"{"identifier":7}"#, "0 identifier wrong type, expected string"),
      (#"{"identifier":["a"]}"#, "0 identifier wrong type, expected string"),
      (#"{"identifier":""}"#, "0 identifier text not allowed"),
      (#"{"identifier":"a"}"#, "0 productType missing"),
      (#"{"identifier":"a","productType":null}"#, "0 productType missing"),
      (#"{"identifier":"a","productType":1}"#, "0 productType wrong type, expected string"),
      (#"{"identifier":"a","productType":""}"#, #"0 productType unknown value """#),
      (
        #"{"identifier":"a","productType":"Consumable"}"#,
        #"0 productType unknown value "Consumable""#
      ),
    ])
  func required(element: String, expected: String) {
    #expect(fault("[\(element)]") == expected)
  }

  @Test(
    "Each optional key has its type",
    arguments: [
      (#""isSubscribersOnly":null"#, "isSubscribersOnly wrong type, expected boolean"),
      (#""isSubscribersOnly":1"#, "isSubscribersOnly wrong type, expected boolean"),
      (#""isSubscribersOnly":"true""#, "isSubscribersOnly wrong type, expected boolean"),
      (#""discountedProducts":"a""#, "discountedProducts wrong type, expected array"),
      (#""discountedProducts":{}"#, "discountedProducts wrong type, expected array"),
      (
        #""discountedProducts":["b","c",null]"#, "discountedProducts[2] wrong type, expected string"
      ),
      (#""discountedProducts":["b c"]"#, "discountedProducts[0] text not allowed"),
      (#""contentFetcherParameters":[]"#, "contentFetcherParameters wrong type, expected object"),
      (
        #""contentFetcherParameters":"remote""#,
        "contentFetcherParameters wrong type, expected object"
      ),
      (#""unlocks":true"#, "unlocks wrong type, expected array"),
      (#""unlocks":[1]"#, "unlocks[0] wrong type, expected string"),
      (#""unlocks":["a",""]"#, "unlocks[1] text not allowed"),
      (#""unlocks":["*a"]"#, "unlocks[0] text not allowed"),
      (#""unlocks":["a**"]"#, "unlocks[0] text not allowed"),
    ])
  func optional(members: String, expected: String) {
    #expect(fault(list(element("a", "renewableSubscription", members))) == "0 \(expected)")
  }

  @Test("Null is the default of three keys")
  func defaults() throws {
    let members = #""discountedProducts":null,"contentFetcherParameters":null,"unlocks":null"#
    let json = list(element("a", "renewableSubscription", members))
    let product = try #require(try catalog(json).products.first)
    #expect(product.discountedProducts == nil && product.content == nil && product.unlocks == nil)
    #expect(!product.isSubscribersOnly)
    #expect(try warnings(json) == [])
  }

  @Test(
    "Identifiers have no white space and no control characters",
    arguments: [
      (" ", false), ("\\t", false), ("\\u0000", false), ("\\u001F", false), ("\\u007F", false),
      ("\\u0080", false), ("\\u0085", false), ("\\u009f", false), ("\\u00A0", false),
      ("\\u1680", false), ("\\u2003", false), ("\\u2028", false), ("\\u3000", false),
      ("\\u200B", true), ("\\u00e9", true), ("é", true), ("\\uD83D\\uDE00", true), ("/", true),
      ("\\\"", true), ("_", true),
    ])
  func characters(character: String, isAllowed: Bool) {
    let expected = { (key: String) in isAllowed ? nil : "0 \(key) text not allowed" }
    let text = "a\(character)b"
    #expect(fault(list(element(text))) == expected("identifier"))
    let discounts = #""discountedProducts":["\#(text)"]"#
    #expect(fault(list(element("a", "consumable", discounts))) == expected("discountedProducts[0]"))
    let unlocks = #""unlocks":["\#(text)"]"#
    #expect(fault(list(element("a", "consumable", unlocks))) == expected("unlocks[0]"))
  }

  @Test("Texts have at most 255 bytes, however they are written")
  func lengths() {
    let long = String(repeating: "a", count: 254)
    for (text, isAllowed) in [
      (long + "b", true), (long + "bb", false), (long + "é", false), (long + "\\u0062", true),
      (String(repeating: "\\u0061", count: 255), true),
      (String(repeating: "é", count: 127) + "a", true),
      (String(repeating: "\\u00e9", count: 128), false), (long + "😀", false),
    ] {
      #expect((fault(list(element(text))) == nil) == isAllowed)
      let members = #""discountedProducts":["\#(text)"],"unlocks":["\#(text)"]"#
      #expect((fault(list(element("x", "consumable", members))) == nil) == isAllowed)
    }
    #expect(fault(list(element("x", "consumable", #""unlocks":["\#(long)*"]"#))) == nil)
    #expect(fault(list(element("x", "consumable", #""unlocks":["\#(long)b*"]"#))) != nil)
  }

  @Test("20 000 elements and 50 000 products are the most")
  func limits() throws {
    let elements = (0..<20_000).map { element("e\($0)") }
    #expect(try catalog("[\(elements.joined(separator: ","))]").products.count == 20_000)
    #expect(fault("[\((elements + ["0"]).joined(separator: ","))]") == "- - too many")

    let discounts = { (count: Int) in
      let texts = (0..<count).map { #""d\#($0)""# }.joined(separator: ",")
      return list(
        element("a", "renewableSubscription", #""discountedProducts":[\#(texts),"a","d0","b"]"#),
        element("b"))
    }
    #expect(try catalog(discounts(49_998)).products.count == 50_000)
    #expect(fault(discounts(49_999)) == "- - too many")
    #expect(failure(discounts(49_999))?.reason == .tooMany)
  }

  @Test("Elements are checked in order, keys in the order of the table")
  func order() {
    #expect(
      fault(#"[{"unlocks":1,"productType":2,"identifier":3}]"#)
        == "0 identifier wrong type, expected string")
    #expect(
      fault(
        list(
          element(
            "a", "consumable",
            #""unlocks":1,"contentFetcherParameters":{},"discountedProducts":[""]"#)))
        == "0 discountedProducts[0] text not allowed")
    #expect(
      fault(list(element("a", "consumable", #""unlocks":1,"contentFetcherParameters":{}"#)))
        == "0 contentFetcherParameters.type missing")
    #expect(fault("[\(element("a")),2,{}]") == "1 - not an object")
    #expect(fault(list(element("a"), element("a", "x"))) == #"1 productType unknown value "x""#)
    #expect(fault("[2,]") == "- - not JSON at byte 3")
  }

  @Test("Of several keys of the same name the first counts, however it is written")
  func duplicateKeys() throws {
    let json =
      #"[{"\u0069dentifier":"a","identifier":7,"productType":"consumable","productType":"x"}]"#
    #expect(try catalog(json).products.map(\.identifier) == ["a"])
    #expect(try warnings(json) == [])
  }

  @Test(
    "Descriptors have their keys",
    arguments: [
      ("{}", ".type missing"), (#"{"type":null}"#, ".type missing"),
      (#"{"type":1}"#, ".type wrong type, expected string"),
      (#"{"type":"remote"}"#, ".URL missing"), (#"{"type":"local","URL":null}"#, ".URL missing"),
      (#"{"type":"BZRRemoteContentFetcher","URL":1}"#, ".URL wrong type, expected string"),
      (#"{"type":"remote","URL":"u","sha256":null}"#, ".sha256 wrong type, expected string"),
      (#"{"type":"remote","URL":"u","sha256":"ab"}"#, ".sha256 text not allowed"),
      (
        #"{"type":"remote","URL":"u","maxBytes":0}"#,
        ".maxBytes wrong type, expected positive integer"
      ),
      (
        #"{"type":"remote","URL":"u","maxBytes":-1}"#,
        ".maxBytes wrong type, expected positive integer"
      ),
      (
        #"{"type":"remote","URL":"u","maxBytes":1.0}"#,
        ".maxBytes wrong type, expected positive integer"
      ),
      (
        #"{"type":"remote","URL":"u","maxBytes":1e3}"#,
        ".maxBytes wrong type, expected positive integer"
      ),
      (
        #"{"type":"remote","URL":"u","maxBytes":"9"}"#,
        ".maxBytes wrong type, expected positive integer"
      ),
      (
        #"{"type":"remote","URL":"u","maxBytes":9223372036854775808}"#,
        ".maxBytes wrong type, expected positive integer"
      ),
      (#"{"type":"fallback"}"#, ".sources missing"),
      (#"{"type":"fallback","sources":{}}"#, ".sources wrong type, expected array"),
      (#"{"type":"fallback","sources":[]}"#, ".sources[0] missing"),
      (
        #"{"type":"fallback","sources":[{"type":"x"},7]}"#,
        ".sources[1] wrong type, expected object"
      ),
      (
        #"{"type":"fallback","sources":[{"type":"x"},{"type":"remote"}]}"#,
        ".sources[1].URL missing"
      ),
      (#"{"type":"fallback","sources":[1,1,1,1,1,1,1,1,1]}"#, ".sources too many"),
    ])
  func descriptors(descriptor: String, expected: String) {
    let json = list(element("a", "consumable", #""contentFetcherParameters":\#(descriptor)"#))
    #expect(fault(json) == "0 contentFetcherParameters\(expected)")
  }

  @Test("Three fallbacks may be around a descriptor, eight descriptors in one")
  func nesting() throws {
    let nested = { (count: Int) -> String in
      (0..<count).reduce(#"{"type":"x"}"#) { inner, _ in
        #"{"type":"fallback","sources":[\#(inner as String)]}"#
      }
    }
    let json = { (descriptor: String) in
      list(element("a", "consumable", #""contentFetcherParameters":\#(descriptor)"#))
    }
    #expect(
      try catalog(json(nested(3))).products.first?.content
        == .fallback([.fallback([.fallback([.unknown(type: "x")])])]))
    #expect(
      fault(json(nested(4)))
        == "0 contentFetcherParameters.sources[0].sources[0].sources[0].sources too many")
    let eight = Array(repeating: nested(0), count: 8).joined(separator: ",")
    #expect(fault(json(#"{"type":"fallback","sources":[\#(eight)]}"#)) == nil)
  }

  @Test("Failures say their place in one short line")
  func descriptions() {
    let bad = list(element("a"), element("b"), element("c"), element("d", "lifetime"))
    #expect(
      failure(bad)?.description
        == #"product list: element 3, key "productType": unknown value "lifetime""#)
    #expect(failure("[1]")?.description == "product list: element 0: not an object")
    #expect(failure("{}")?.description == "product list: not an array")
    #expect(failure("[ x")?.description == "product list: not JSON at byte 2")
    let hostile = failure(
      list(element("d", #"x\n\"\u2028\u202E\u0000"# + String(repeating: "é", count: 9999))))
    let text = hostile?.description ?? ""
    #expect(
      text.hasPrefix(
        #"product list: element 0, key "productType": unknown value "x\u{A}\"\u{2028}\u{202E}\u{0}éé"#
      ))
    #expect(text.utf8.count < 400 && text.hasSuffix("é…\""))
  }
}
