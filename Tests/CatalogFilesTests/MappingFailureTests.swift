import CatalogFiles
import Testing

/// A file that is refused, and the whole message.
struct RefusedFile: Sendable, CustomTestStringConvertible {
  var text: String
  var kind: MappingFailure.Kind
  var message: String
  var testDescription: String { message }

  init(_ text: String, _ kind: MappingFailure.Kind, _ message: String) {
    self.text = text
    self.kind = kind
    self.message = "mapping: " + message
  }
}

@Suite("Refused product mappings (credit rules, section 8)")
struct MappingFailureTests {
  @Test(
    "acceptance, row 31: each is refused with its kind and line",
    arguments: [
      RefusedFile(
        "product_mappings:\n  a:\n    app_store_product_id: x\n    credits: 1\n  a:\n    app_store_product_id: y\n    credits: 2\n",
        .duplicateKey, "product_mappings.a (line 5): expected each key once; the first is on line 2"
      ),
      RefusedFile(
        "product_mappings:\n  a:\n    app_store_product_id: x\n    credits: 1\n  b:\n    credits: 2\n    app_store_product_id: x\n",
        .duplicateProduct,
        "product_mappings.b.app_store_product_id (line 7): expected one enabled product for each identifier; a has the same"
      ),
      RefusedFile(
        "product_mappings:\n  a:\n    app_store_product_id: x\n    google_play_product_id: g\n    credits: 1\n  b:\n    credits: 2\n    app_store_product_id: y\n    google_play_product_id: g\n",
        .duplicateProduct,
        "product_mappings.b.google_play_product_id (line 9): expected one enabled product for each identifier; a has the same"
      ),
      RefusedFile(
        onePack("app_store_product_id: x", #"credits: "60""#), .wrongType,
        "product_mappings.welcome_pack.credits (line 4): expected a whole number"),
      RefusedFile(
        onePack("app_store_product_id: x", "credits: 60", "enabled: yes"), .wrongType,
        "product_mappings.welcome_pack.enabled (line 5): expected true or false"),
      RefusedFile(
        onePack("app_store_product_id: x", "credits: *c"), .unsupported,
        "product_mappings.welcome_pack.credits (line 4): expected no alias"),
    ])
  func row31(file: RefusedFile) { expect(file) }

  @Test(
    "the same in JSON, without lines",
    arguments: [
      RefusedFile(
        #"{"product_mappings": {"a": {"app_store_product_id": "x", "credits": 1}, "\u0061": {}}}"#,
        .duplicateKey, "product_mappings.a: expected each key once"),
      RefusedFile(
        #"{"product_mappings": {"a": {"app_store_product_id": "x", "credits": 1}, "b": {"app_store_product_id": "x", "credits": 1}}}"#,
        .duplicateProduct,
        "product_mappings.b.app_store_product_id: expected one enabled product for each identifier; a has the same"
      ),
      RefusedFile(
        #"{"product_mappings": {"welcome_pack": {"app_store_product_id": "x", "credits": "60"}}}"#,
        .wrongType,
        "product_mappings.welcome_pack.credits: expected a whole number"),
      RefusedFile(
        #"{"product_mappings": {"welcome_pack": {"app_store_product_id": "x", "credits": 60, "enabled": "yes"}}}"#,
        .wrongType, "product_mappings.welcome_pack.enabled: expected true or false"),
      RefusedFile(#"{"x": [{"y": 1, "y": 2}]}"#, .duplicateKey, "x[0].y: expected each key once"),
    ])
  func json(file: RefusedFile) { expect(file) }

  @Test(
    "missing keys have the line of the map's key",
    arguments: [
      RefusedFile(
        "", .missing, "product_mappings (line 1): expected a map, but the key is missing"),
      RefusedFile(
        "# Nothing.\n", .missing,
        "product_mappings (line 1): expected a map, but the key is missing"),
      RefusedFile(
        "a: 1\n", .missing, "product_mappings (line 1): expected a map, but the key is missing"),
      RefusedFile("{}", .missing, "product_mappings: expected a map, but the key is missing"),
      RefusedFile(
        onePack("credits: 60"), .missing,
        "product_mappings.welcome_pack.app_store_product_id (line 2): expected a text, but the key is missing"
      ),
      RefusedFile(
        onePack("app_store_product_id: x"), .missing,
        "product_mappings.welcome_pack.credits (line 2): expected a whole number, but the key is missing"
      ),
      RefusedFile(
        #"{"product_mappings": {"welcome_pack": {"app_store_product_id": "x"}}}"#, .missing,
        "product_mappings.welcome_pack.credits: expected a whole number, but the key is missing"),
    ])
  func missing(file: RefusedFile) { expect(file) }

  @Test(
    "the wrong type of a map",
    arguments: [
      RefusedFile("- a\n", .wrongType, "file (line 1): expected a map"),
      RefusedFile("\n\n60\n", .wrongType, "file (line 3): expected a map"),
      RefusedFile("product_mappings:\n", .wrongType, "product_mappings (line 1): expected a map"),
      RefusedFile(
        "product_mappings: []\n", .wrongType, "product_mappings (line 1): expected a map"),
      RefusedFile(
        "product_mappings:\n  a: 60\n", .wrongType, "product_mappings.a (line 2): expected a map"),
      RefusedFile(#"{"product_mappings": [1]}"#, .wrongType, "product_mappings: expected a map"),
      RefusedFile(
        "product_mappings:\n  [a, b]: 1\n", .wrongType,
        "product_mappings (line 2): expected a text as the key"),
      RefusedFile(
        "? {a: b}\n: 1\n", .wrongType, "file (line 1): expected a text as the key"),
    ])
  func wrongMap(file: RefusedFile) { expect(file) }

  @Test(
    "the wrong type of credits",
    arguments: ["yes", "true", "~", "", "60.0", "6e1", "1_000", "[60]", "'60'", "0x", ".inf"])
  func wrongCredits(value: String) {
    expect(
      RefusedFile(
        onePack("app_store_product_id: x", "credits: \(value)"), .wrongType,
        "product_mappings.welcome_pack.credits (line 4): expected a whole number"))
  }

  @Test(
    "the wrong type of credits in JSON",
    arguments: ["true", "null", "60.0", "6e1", "[60]", "{}", #""60""#])
  func wrongCreditsOfJSON(value: String) {
    expect(
      RefusedFile(
        #"{"product_mappings": {"p": {"app_store_product_id": "x", "credits": \#(value)}}}"#,
        .wrongType,
        "product_mappings.p.credits: expected a whole number"))
  }

  @Test(
    "credits out of range",
    arguments: [
      "0", "-1", "1000000001", "-0", "0x3B9ACA01", "9223372036854775807", "-9223372036854775808",
      "9223372036854775808", "-9223372036854775809", "99999999999999999999999999999999999999",
    ])
  func creditsOutOfRange(value: String) {
    expect(
      RefusedFile(
        onePack("app_store_product_id: x", "credits: \(value)"), .outOfRange,
        "product_mappings.welcome_pack.credits (line 4): expected a whole number from 1 to 1000000000"
      ))
    guard !value.hasPrefix("0x") else { return }
    expect(
      RefusedFile(
        #"{"product_mappings": {"p": {"app_store_product_id": "x", "credits": \#(value)}}}"#,
        .outOfRange,
        "product_mappings.p.credits: expected a whole number from 1 to 1000000000"))
  }

  @Test("a place of more than 64 bits", arguments: ["9223372036854775808", "-9223372036854775809"])
  func placeOutOfRange(value: String) {
    expect(
      RefusedFile(
        onePack("app_store_product_id: x", "credits: 1", "sort_order: \(value)"), .outOfRange,
        "product_mappings.welcome_pack.sort_order (line 5): expected a whole number from -9223372036854775808 to 9223372036854775807"
      ))
  }

  @Test(
    "a product identifier that is no text", arguments: ["60", "true", "~", "1.0", "[a]", "{a: b}"])
  func wrongIdentifier(value: String) {
    expect(
      RefusedFile(
        onePack("app_store_product_id: \(value)", "credits: 1"), .wrongType,
        "product_mappings.welcome_pack.app_store_product_id (line 3): expected a text"))
  }

  @Test(
    "a product identifier with the wrong characters or length",
    arguments: [
      #""""#, "a b", #""a\tb""#, #""a\n""#, #""\u00a0""#, #""a\u2003b""#,
      String(repeating: "é", count: 129),
    ])
  func identifierOutOfRange(value: String) {
    expect(
      RefusedFile(
        onePack("app_store_product_id: \(value)", "credits: 1"), .outOfRange,
        "product_mappings.welcome_pack.app_store_product_id (line 3): expected 1 to 128 characters without white space"
      ))
  }

  @Test(
    "a product code with the wrong characters or length",
    arguments: [
      ("welcome pack", #""welcome pack""#), ("", #""""#), ("päckchen", #""päckchen""#),
      (String(repeating: "a", count: 33), String(repeating: "a", count: 33)), ("a/b", #""a/b""#),
      ("a\\u{1}", #""a\u{1}""#), ("a\\n", #""a\u{a}""#), ("\\u{202E}", #""\u{202e}""#),
    ])
  func code(code: String, shown: String) {
    let escaped = code.replacing("\\u{1}", with: "\\x01").replacing("\\u{202E}", with: "\\u202E")
    expect(
      RefusedFile(
        "product_mappings:\n  \"\(escaped)\": {}\n", .outOfRange,
        "product_mappings.\(shown) (line 2): expected 1 to 32 of the characters A-Z a-z 0-9 _ . -"))
  }

  @Test(
    "an unknown type, because a typing mistake must not switch the once-only rule off",
    arguments: [
      "Starter", "starter_pack", #""starter ""#, #""""#, "seasonal", "yes",
    ])
  func unknownType(value: String) {
    expect(
      RefusedFile(
        onePack("app_store_product_id: x", "credits: 1", "type: \(value)"), .unknownType,
        "product_mappings.welcome_pack.type (line 5): expected starter or standard"))
  }

  @Test(
    "a type that is no text; one that is empty is no default",
    arguments: ["", "~", "true", "1", "[starter]"])
  func wrongTypeOfType(value: String) {
    expect(
      RefusedFile(
        onePack("app_store_product_id: x", "credits: 1", "type: \(value)"), .wrongType,
        "product_mappings.welcome_pack.type (line 5): expected a text"))
  }

  @Test("enabled is true or false", arguments: ["yes", "no", "on", "1", "~", "", "'true'", "tRUE"])
  func enabled(value: String) {
    expect(
      RefusedFile(
        onePack("app_store_product_id: x", "credits: 1", "enabled: \(value)"), .wrongType,
        "product_mappings.welcome_pack.enabled (line 5): expected true or false"))
  }

  @Test(
    "a key that is there twice",
    arguments: [
      RefusedFile(
        onePack("credits: 1", "credits: 1"), .duplicateKey,
        "product_mappings.welcome_pack.credits (line 4): expected each key once; the first is on line 3"
      ),
      RefusedFile(
        "product_mappings: {}\n\"product_mappings\": {}\n", .duplicateKey,
        "product_mappings (line 2): expected each key once; the first is on line 1"),
      RefusedFile(
        "a:\n- b: {c: 1, 'c': 2}\n", .duplicateKey,
        "a[0].b.c (line 2): expected each key once; the first is on line 2"),
      RefusedFile(
        "60: a\n\"60\": b\n", .duplicateKey,
        "60 (line 2): expected each key once; the first is on line 1"),
    ])
  func duplicateKey(file: RefusedFile) { expect(file) }

  @Test("keys are compared byte by byte")
  func bytewiseKeys() throws {
    #expect(try mapping("\u{E9}: 1\ne\u{301}: 2\nproduct_mappings: {}\n").warningCount == 2)
    #expect(
      try mapping("{\"\u{E9}\": 1, \"e\u{301}\": 2, \"product_mappings\": {}}").warningCount == 2)
  }

  @Test(
    "parts of YAML that are not used",
    arguments: [
      RefusedFile("a: &b c\n", .unsupported, "a (line 1): expected no anchor"),
      RefusedFile("a:\n- &b [c]\n", .unsupported, "a[0] (line 2): expected no anchor"),
      RefusedFile("&a\nb: 1\n", .unsupported, "file (line 1): expected no anchor"),
      RefusedFile("&a b: 1\n", .unsupported, "file (line 1): expected no anchor"),
      RefusedFile("a: 1\nb: *c\n", .unsupported, "b (line 2): expected no alias"),
      RefusedFile("*a : 1\n", .unsupported, "file (line 1): expected no alias"),
      RefusedFile("a: !!int 5\n", .unsupported, "a (line 1): expected no tag"),
      RefusedFile("a: ! 5\n", .unsupported, "a (line 1): expected no tag"),
      RefusedFile("a: !<tag:x> {}\n", .unsupported, "a (line 1): expected no tag"),
      RefusedFile("!!str a: b\n", .unsupported, "file (line 1): expected no tag"),
      RefusedFile(
        "# One.\n%TAG !e! tag:example.com,2000:\n---\na: 1\n", .unsupported,
        "file (line 2): expected no tag"),
      RefusedFile("a:\n  <<: {b: 1}\n", .unsupported, "a (line 2): expected no merge key"),
      RefusedFile("<<: [{b: 1}]\n", .unsupported, "file (line 1): expected no merge key"),
      RefusedFile("a: 1\n---\nb: 2\n", .unsupported, "file (line 2): expected no second document"),
      RefusedFile("a: 1\n...\n\n---\n", .unsupported, "file (line 4): expected no second document"),
    ])
  func unsupported(file: RefusedFile) { expect(file) }

  @Test(
    "broken YAML has a line, and the path of the innermost value that has begun and not ended",
    arguments: [
      ("a: 1\nb: 'c\n", "b", 3), ("a: b: c\n", "", 1), ("a:\n\t- b\n", "a", 2),
      ("a: [1, 2\n", "a[2]", 2),
      ("product_mappings:\n  a: 1\n b: 2\n", "", 3), ("a: @b\n", "a", 1),
      ("a: 1\n\u{1}\n", "", 2),
      ("a: 1\n...\nb: 1\n", "", 3),
      ("%YAML 9.0\n---\na: 1\n", "", 1), ("a: \"\\q\"\n", "a", 1),
      ("a: 1\r\nb: 2\r\nc: \u{7F}\r\n", "", 3),
    ])
  func brokenYAML(text: String, path: String, line: Int) {
    let failure = failure(text)
    #expect(failure?.kind == .syntax)
    #expect(failure?.line == line)
    #expect(failure?.path == path)
    #expect(failure?.description.contains("): expected valid YAML") == true)
  }

  @Test(
    "broken JSON has the offset",
    arguments: [
      RefusedFile("{", .syntax, "file: expected valid JSON at byte 1"),
      RefusedFile("{a: 1}", .syntax, "file: expected valid JSON at byte 1"),
      RefusedFile("\u{FEFF} {\"a\": 1,}", .syntax, "file: expected valid JSON at byte 12"),
      RefusedFile("{\"a\": 01}", .syntax, "file: expected valid JSON at byte 7"),
      RefusedFile("{\"a\": 1} {}", .syntax, "file: expected valid JSON at byte 9"),
      RefusedFile("{\"a\": \"\\ud800\"}", .syntax, "file: expected valid JSON at byte 7"),
      RefusedFile("{\"a\": 1 // one\n}", .syntax, "file: expected valid JSON at byte 8"),
    ])
  func brokenJSON(file: RefusedFile) { expect(file) }

  private func expect(_ file: RefusedFile, sourceLocation: SourceLocation = #_sourceLocation) {
    let failure = failure(file.text)
    #expect(failure?.description == file.message, sourceLocation: sourceLocation)
    #expect(failure?.kind == file.kind, sourceLocation: sourceLocation)
  }
}
