import CatalogFiles
import CreditPolicy
import Testing

@Suite("Hostile product mappings")
struct HostileFileTests {
  private static let limit = 1_048_576

  @Test("1 MiB is read, one byte more is not")
  func length() throws {
    for start in ["product_mappings: {}\n#", "{\"product_mappings\": {}}"] {
      let filler: UInt8 = start.hasPrefix("{") ? 0x20 : 0x2D
      var bytes = Array(start.utf8)
      bytes += [UInt8](repeating: filler, count: Self.limit - bytes.count)
      #expect(failure(bytes: bytes) == nil)
      bytes.append(filler)
      let failure = failure(bytes: bytes)
      #expect(failure?.kind == .tooLarge)
      #expect(failure?.description == "mapping: file: expected at most 1048576 bytes")
    }
  }

  @Test(
    "8 levels of maps and lists are read, 9 are not",
    arguments: [
      (
        "a: [[[[[[[1]]]]]]]\nproduct_mappings: {}\n",
        "a: [[[[[[[[1]]]]]]]]\nproduct_mappings: {}\n", " (line 1)"
      ),
      (
        "product_mappings: {}\na:\n b:\n  c:\n   d:\n    e:\n     f:\n      g:\n       h: 1\n",
        "product_mappings: {}\na:\n b:\n  c:\n   d:\n    e:\n     f:\n      g:\n       h:\n        i: 1\n",
        " (line 10)"
      ),
      (
        #"{"a": [[[[[[[1]]]]]]], "product_mappings": {}}"#,
        #"{"a": [[[[[[[[1]]]]]]]], "product_mappings": {}}"#, ""
      ),
    ])
  func depth(allowed: String, refused: String, place: String) {
    #expect(failure(allowed) == nil)
    let failure = failure(refused)
    #expect(failure?.kind == .tooLarge)
    #expect(
      failure?.description.hasSuffix("\(place): expected at most 8 levels of maps and lists")
        == true)
  }

  @Test("entities that multiply are refused at the first anchor")
  func billionLaughs() {
    var text = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for (before, name) in zip("abcdefgh", "bcdefghi") {
      text +=
        "\(name): &\(name) [" + Array(repeating: "*\(before)", count: 9).joined(separator: ",")
        + "]\n"
    }
    #expect(failure(text)?.description == "mapping: a (line 1): expected no anchor")
  }

  /// A file of a quarter of a MiB: a start, a part many times, and an end.
  ///
  /// A whole MiB would be slow with sanitizers; time that grows with the square of the length exceeds
  /// the limit of a minute with a quarter, too.
  struct Flood: Sendable, CustomTestStringConvertible {
    var start: String
    var part: String
    var end: String
    /// The kind of the failure; nil for a file that is read.
    var kind: MappingFailure.Kind?
    var testDescription: String { (start + part).debugDescription }

    init(_ start: String, _ part: String, _ end: String, _ kind: MappingFailure.Kind?) {
      self.start = start
      self.part = part
      self.end = end
      self.kind = kind
    }

    var bytes: [UInt8] {
      let part = Array(part.utf8)
      var bytes = Array(start.utf8)
      let count = (262_144 - bytes.count - end.utf8.count) / part.count
      for _ in 0..<count { bytes += part }
      return bytes + end.utf8
    }
  }

  @Test(
    "256 KiB of one thing take less than a minute, and the failure is short", .serialized,
    .timeLimit(.minutes(30)),
    arguments: [
      Flood("", "[", "", .tooLarge), Flood("", "{", "", .syntax),
      Flood("{\"a\":", "[", "", .tooLarge),
      Flood("{\"a\":", "{\"a\":", "", .tooLarge), Flood("a: ", "{a: ", "", .tooLarge),
      Flood("", "- ", "", .tooLarge), Flood("", "? ", "", .wrongType),
      Flood("", "a: ", "", .syntax),
      Flood("", "]", "", .syntax), Flood("", ": ", "", .syntax), Flood("", "\n", "", .missing),
      Flood("", "#\n", "", .missing), Flood("", " ", "", .missing), Flood("", "\t", "", .syntax),
      Flood("", "\0", "", .syntax), Flood("", "\r", "", .missing),
      Flood("", "\u{FEFF}", "", .wrongType),
      Flood("", "---\n", "", .unsupported), Flood("", "...\n", "", .syntax),
      Flood("", "%TAG !a! b\n", "", .unsupported),
      Flood("a: 1\n...\n", "%TAG !a! b\n", "", .unsupported),
      Flood("#\u{85}", "%TAG !a! b\u{85}", "", .unsupported),
      Flood("#", "\u{2028}%TAG !a! b", "", .unsupported),
      Flood("#", "\u{2029}%TAG !a! b", "", .unsupported),
      Flood("#", "\u{85}", "", .missing), Flood("#", "\u{2028}", "", .missing),
      Flood("", "%a\n", "", .syntax), Flood("%YAML 1.1\n", "%YAML 1.1\n", "", .syntax),
      Flood("", "&", "", .syntax), Flood("", "&a ", "", .unsupported),
      Flood("", "*a ", "", .unsupported),
      Flood("", "!", "", .unsupported), Flood("a: !<", "x", ">", .unsupported),
      Flood("a: &", "x", " 1", .unsupported),
      Flood("", "a", "", .wrongType), Flood("", "a", ": 1", .syntax),
      Flood("? ", "a", "\n: 1", .missing),
      Flood("a: '", "'", "", .syntax), Flood("a: \"", "\\u0041", "\"", .missing),
      Flood("a: '", "x\n\n ", "'", .missing),
      Flood("a: |\n", " x\n", "", .missing), Flood("a: >\n", " x\n\n", "", .missing),
      Flood("a: ", "x\n ", "", .missing), Flood("a: ", "9", "\nproduct_mappings: {}", nil),
      Flood("a: 0x", "f", "\nproduct_mappings: {}", nil),
      Flood("a: 0.", "9", "\nproduct_mappings: {}", nil),
      Flood("a: 1e", "9", "\nproduct_mappings: {}", nil),
      Flood("a: .", "0", "1\nproduct_mappings: {}", nil),
      Flood("{\"a\": ", "9", ", \"product_mappings\": {}}", nil),
      Flood("{\"a\": 0.", "9", ", \"product_mappings\": {}}", nil),
      Flood("{\"a\": 1e", "9", ", \"product_mappings\": {}}", nil),
      Flood("product_mappings: {a: {credits: ", "9", "}}", .missing),
      Flood("{\"", "a", "\": 1, \"product_mappings\": {}}", nil),
      Flood("{\"a\": \"", "\\u0041", "\", \"product_mappings\": {}}", nil),
      Flood("a: [", "1,", "]\nproduct_mappings: {}", nil),
      Flood("a:\n", "- 1\n", "product_mappings: {}", nil),
      Flood("a: [", "[],", "]\nproduct_mappings: {}", nil),
      Flood("a: [", "{},", "]\nproduct_mappings: {}", nil),
      Flood("a: [", "a: b,", "]\nproduct_mappings: {}", nil),
      Flood("{\"a\": [", "1,", "1], \"product_mappings\": {}}", nil),
      Flood("{\"a\": [", "{},", "{}], \"product_mappings\": {}}", nil),
      Flood("{", "\"a\":1,", "\"a\":1}", .duplicateKey),
      Flood("{\"", "e\u{301}\u{302}", "\":1,\"product_mappings\":{}}", nil),
      Flood("? ", "e\u{301}\u{302}", "\n: 1\nproduct_mappings: {}", nil),
      Flood("a", "\u{301}", "", .wrongType),
    ])
  func floods(flood: Flood) {
    let bytes = flood.bytes
    #expect(bytes.count <= Self.limit)
    let refusal = failure(bytes: bytes)
    #expect(refusal?.kind == flood.kind)
    #expect((refusal?.description.utf8.count ?? 0) < 1000)
  }

  @Test(
    "a directive of tags is refused after every line break that YAML knows",
    arguments: ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"])
  func tagDirective(lineBreak: String) {
    let failure = failure("#\(lineBreak)%TAG !a! b\(lineBreak)---\nproduct_mappings: {}\n")
    #expect(failure?.description == "mapping: file (line 2): expected no tag")
    #expect(failure?.kind == .unsupported)
    #expect(CatalogFilesTests.failure("#\(lineBreak)product_mappings: {}\n") == nil)
  }

  @Test(
    "65,000 directives of different tags are refused at the first", .timeLimit(.minutes(30)),
    arguments: ["\n", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"])
  func tagDirectives(lineBreak: String) {
    var text = "#\(lineBreak)"
    for number in 0..<65_000 { text += "%TAG !x\(String(number, radix: 16))! b\(lineBreak)" }
    let bytes = Array(text.utf8.prefix(Self.limit))
    #expect(failure(bytes: bytes)?.description == "mapping: file (line 2): expected no tag")
  }

  @Test("characters that begin like a line break don't begin a line")
  func noLineBreak() {
    for character in ["\u{84}", "\u{A0}", "\u{2027}", "\u{202A}", "\u{2085}", "\t", " "] {
      let text = "product_mappings: {} #\(character)%TAG !a! b\n"
      #expect(failure(text)?.kind != .unsupported)
    }
  }

  @Test("as many keys as fit 1 MiB are read, and the first 100 warned of")
  func keys() throws {
    var yaml = "product_mappings: {}\n"
    var json = "{\"product_mappings\": {}"
    for number in 0..<90_000 {
      yaml += "\(number): \n"
      json += ",\"\(number)\":1"
    }
    json += "}"
    for text in [yaml, json] {
      let mapping = try mapping(text)
      #expect(mapping.warningCount == 90_000)
      #expect(mapping.warnings.map(\.path) == (0..<100).map { "\($0)" })
    }
  }

  @Test("as many products as fit 1 MiB are read")
  func products() throws {
    var text = "product_mappings:\n"
    for number in 0..<18_000 {
      text += " \(number): {app_store_product_id: p\(number), credits: 1}\n"
    }
    #expect(try mapping(text).products.enabled.count == 18_000)
  }

  @Test(
    "bytes that are not UTF-8 are refused with their line",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
      [0x00],
    ] as [[UInt8]])
  func encoding(bytes: [UInt8]) {
    let failure = failure(
      bytes: Array("product_mappings: {}\r\na: b\n# ".utf8) + bytes + Array("\n".utf8))
    #expect(failure?.kind == .syntax)
    #expect(failure?.line == 3)
    let json = CatalogFilesTests.failure(
      bytes: Array("{\"product_mappings\": {}, \"a\": \"".utf8) + bytes + Array("\"}".utf8))
    #expect(json?.kind == .syntax)
    #expect(json?.path == "" && json?.line == nil)
  }

  @Test("UTF-16 is refused", arguments: [[0xFE, 0xFF], [0xFF, 0xFE]] as [[UInt8]])
  func utf16(mark: [UInt8]) {
    let bytes = mark + Array("a: 1\n".utf8).flatMap { mark[0] == 0xFE ? [0, $0] : [$0, 0] }
    #expect(failure(bytes: bytes)?.kind == .syntax)
  }

  @Test("every cut of a file, and every byte changed, ends in a mapping or a failure")
  func mutations() {
    let texts = [
      "product_mappings:\n  a: {app_store_product_id: 'x', credits: 0x3C}\n  b:\n    app_store_product_id: |\n      y\n    credits: 5\n",
      #"{"product_mappings": {"a": {"app_store_product_id": "x\u0041", "credits": 60, "enabled": true}}}"#,
    ]
    var outcomes: Set<MappingFailure?> = []
    for text in texts.map({ Array($0.utf8) }) {
      for index in text.indices {
        outcomes.insert(failure(bytes: Array(text[..<index])))
        for byte in Array("\0\t\n\r \"'#&*!%{}[]:,-?|>@`\\<~9".utf8) + [0x80, 0xC3, 0xFF] {
          var changed = text
          changed[index] = byte
          outcomes.insert(failure(bytes: changed))
        }
      }
    }
    for outcome in outcomes {
      #expect((outcome?.description.utf8.count ?? 0) < 500)
    }
    #expect(outcomes.count > 20)
  }

  @Test("a failure quotes a key in part, in one line, and no value")
  func quotation() {
    let key = String(repeating: "k", count: 500)
    let failure = failure("\(key): 1\nproduct_mappings:\n  \(key): secret\n")
    #expect(
      failure?.description
        == "mapping: product_mappings.\(String(repeating: "k", count: 64))… (line 3): expected 1 to 32 of the characters A-Z a-z 0-9 _ . -"
    )
  }
}
