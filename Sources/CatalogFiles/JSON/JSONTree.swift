internal import JSONValues

/// Reads JSON into a tree.
///
/// `JSONValue` checks the grammar, but has neither the order of members nor those that are there twice. So the
/// text is walked once more, without doubts about its grammar.
///
/// Source: credit rules, section 8.
struct JSONTree {
  private let bytes: [UInt8]
  private var index = 0
  private var path = CatalogPath.file

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The value of a file in UTF-8 without a byte-order mark, before which the file has a number of bytes.
  static func node(bytes: [UInt8], offset: Int) throws(CatalogFault) -> CatalogNode {
    do throws(JSONValue.SyntaxFailure) {
      _ = try JSONValue(parsingKnown: bytes)
    } catch {
      throw CatalogFault(problem(error, offset: offset), at: .file, line: nil)
    }
    var tree = JSONTree(bytes: bytes)
    tree.skipSpace()
    return try tree.node(depth: 0)
  }

  private static func problem(
    _ failure: JSONValue.SyntaxFailure, offset: Int
  ) -> CatalogProblem {
    switch failure {
    case .unexpectedByte(let place), .invalidString(let place), .numberOutOfRange(let place),
      .nameTooLong(let place, _):
      .invalidJSON(offset: place + offset)
    case .tooDeep: .tooDeep(limit: CatalogLimits.depth)
    @unknown default: .invalidJSON(offset: nil)
    }
  }

  private mutating func node(depth: Int) throws(CatalogFault) -> CatalogNode {
    switch peek {
    case UInt8(ascii: "{"): CatalogNode(.map(try map(depth: depth)), line: nil)
    case UInt8(ascii: "["): CatalogNode(.list(try list(depth: depth)), line: nil)
    case UInt8(ascii: "\""): CatalogNode(.text(try string()), line: nil)
    default: CatalogNode(try literal(), line: nil)
    }
  }

  private mutating func map(depth: Int) throws(CatalogFault) -> [CatalogEntry] {
    var keys = CatalogKeys()
    var entries: [CatalogEntry] = []
    try enter(depth)
    while peek != UInt8(ascii: "}") {
      let key = try string()
      path.steps.append(.key(key))
      try keys.add(key, at: path, line: nil)
      skip(UInt8(ascii: ":"))
      entries.append(CatalogEntry(key: key, line: nil, value: try node(depth: depth + 1)))
      skip(UInt8(ascii: ","))
      path.steps.removeLast()
    }
    index += 1
    return entries
  }

  private mutating func list(depth: Int) throws(CatalogFault) -> [CatalogNode] {
    var elements: [CatalogNode] = []
    try enter(depth)
    while peek != UInt8(ascii: "]") {
      path.steps.append(.index(elements.count))
      elements.append(try node(depth: depth + 1))
      skip(UInt8(ascii: ","))
      path.steps.removeLast()
    }
    index += 1
    return elements
  }

  private mutating func enter(_ depth: Int) throws(CatalogFault) {
    guard depth < CatalogLimits.depth else {
      throw CatalogFault(.tooDeep(limit: CatalogLimits.depth), at: path, line: nil)
    }
    index += 1
    skipSpace()
  }

  /// Reads a string, by the reader of `JSONValue` if it has escapes.
  private mutating func string() throws(CatalogFault) -> String {
    let start = index
    var hasEscape = false
    index += 1
    while let byte = peek, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { hasEscape = true }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
    guard index <= bytes.count else {
      throw CatalogFault(.invalidJSON(offset: nil), at: path, line: nil)
    }
    guard hasEscape else {
      return String(decoding: bytes[(start + 1)..<(index - 1)], as: UTF8.self)
    }
    guard case .string(let text) = try? JSONValue(parsing: Array(bytes[start..<index])) else {
      throw CatalogFault(.invalidJSON(offset: nil), at: path, line: nil)
    }
    return text
  }

  /// Reads a number, true, false or null.
  private mutating func literal() throws(CatalogFault) -> CatalogNode.Content {
    let start = index
    while let byte = peek, byte.isOfLiteral { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    switch bytes[start..<index].first {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "t"): return .boolean(true)
    case UInt8(ascii: "f"): return .boolean(false)
    case nil: throw CatalogFault(.invalidJSON(offset: nil), at: path, line: nil)
    default:
      let isWhole = text.utf8.allSatisfy {
        $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e")
      }
      guard isWhole else { return .number(Double(text) ?? .nan) }
      return Int(text).map { .integer($0) } ?? .wideInteger
    }
  }
}

extension JSONTree {
  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  /// Skips a sign, if it comes next, and the white space around it.
  private mutating func skip(_ sign: UInt8) {
    skipSpace()
    guard peek == sign else { return }
    index += 1
    skipSpace()
  }
}

extension UInt8 {
  /// Whether the byte is one of numbers, true, false and null.
  fileprivate var isOfLiteral: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
