extension JSONValue {
  /// An error in JSON text.
  @nonexhaustive
  public enum SyntaxFailure: Error, Hashable, Sendable {
    /// The byte breaks the grammar of RFC 8259, or the text ends there too early.
    case unexpectedByte(offset: Int)
    /// A string is not UTF-8, or escapes half of a surrogate pair.
    ///
    /// The offset is that of the byte after the quotation mark, or that of the escape.
    case invalidString(offset: Int)
    /// A number is outside the range of `Double`.
    case numberOutOfRange(offset: Int)
    /// Arrays and objects are nested too deeply.
    case tooDeep(limit: Int)
    /// The name of a member is longer than the limit.
    case nameTooLong(offset: Int, limit: Int)
  }

  /// The maximum depth of nested arrays and objects.
  public static let maximumDepth = 64

  /// The maximum length of a member name, in bytes of UTF-8.
  ///
  /// The time to hash a string grows with the square of a run of combining marks, so names must be
  /// short. Apple's have a few dozen bytes at most.
  public static let maximumNameLength = 128

  /// Creates a value from JSON text.
  ///
  /// Only white space may surround the text. Byte-order marks, trailing commas, comments and
  /// invalid UTF-8 are errors. The first of duplicate members of an object is kept and the others
  /// are dropped, as in Foundation's `JSONDecoder`. Nesting is limited to ``maximumDepth``, and
  /// names to ``maximumNameLength``. The caller limits the size.
  ///
  /// Source: RFC 8259.
  ///
  /// - Parameter bytes: The text in UTF-8.
  /// - Throws: ``SyntaxFailure``, with the offset in bytes.
  public init(parsing bytes: [UInt8]) throws(SyntaxFailure) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.text()
  }

  /// Creates a value from JSON text of which only known members are needed.
  ///
  /// This initializer differs from ``init(parsing:)`` in two ways: it drops a member whose name is
  /// longer than ``maximumNameLength``, and it reads a number outside the range of `Double` as
  /// infinite, which no model accepts.
  ///
  /// - Parameter bytes: The text in UTF-8.
  /// - Throws: ``SyntaxFailure``, with the offset in bytes.
  package init(parsingKnown bytes: [UInt8]) throws(SyntaxFailure) {
    var parser = JSONParser(bytes: bytes)
    parser.wantsOnlyKnown = true
    self = try parser.text()
  }
}

/// A recursive-descent parser of bytes, with recursion limited by `JSONValue.maximumDepth`.
///
/// Foundation's decoder is not used, because one reader has to find the signing date before the
/// signature is verified and fill the model afterwards, keep unknown members, and limit the depth.
/// Decoding the same model with Foundation takes about as long as verifying the signature.
private struct JSONParser {
  let bytes: [UInt8]
  var index = 0
  var depth = 0
  /// The capacity to reserve for the next object.
  var expectedMembers = 0
  /// Whether overlong names are dropped and overlarge numbers read as infinite, instead of refused.
  var wantsOnlyKnown = false

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func text() throws(JSONValue.SyntaxFailure) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard index == bytes.count else { throw .unexpectedByte(offset: index) }
    return value
  }

  private mutating func value() throws(JSONValue.SyntaxFailure) -> JSONValue {
    switch peek {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"):
      return try nested { parser throws(JSONValue.SyntaxFailure) in
        try parser.object()
      }
    case UInt8(ascii: "["):
      return try nested { parser throws(JSONValue.SyntaxFailure) in
        try parser.array()
      }
    case UInt8(ascii: "t"): return try literal("true", .boolean(true))
    case UInt8(ascii: "f"): return try literal("false", .boolean(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  private mutating func nested(
    _ read: (inout JSONParser) throws(JSONValue.SyntaxFailure) -> JSONValue
  ) throws(JSONValue.SyntaxFailure) -> JSONValue {
    guard depth < JSONValue.maximumDepth else { throw .tooDeep(limit: JSONValue.maximumDepth) }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func object() throws(JSONValue.SyntaxFailure) -> JSONValue {
    var members: [String: JSONValue] = [:]
    index += 1
    skipSpace()
    if accept(UInt8(ascii: "}")) { return .object(members) }
    // Signed payloads have about 20 members; reserving once saves five reallocations.
    members.reserveCapacity(depth == 1 ? 24 : expectedMembers)
    expectedMembers = 0
    repeat {
      skipSpace()
      let name = try name()
      skipSpace()
      try expect(UInt8(ascii: ":"))
      skipSpace()
      let value = try value()
      // Duplicates are rare, so each name is hashed once, and the first value is put back if there
      // was one.
      if let name, let first = members.updateValue(value, forKey: name) { members[name] = first }
      skipSpace()
    } while accept(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return .object(members)
  }

  /// Reads a member name, or returns nil for one to drop.
  private mutating func name() throws(JSONValue.SyntaxFailure) -> String? {
    let offset = index
    let name = try string()
    guard name.utf8.count <= JSONValue.maximumNameLength else {
      if wantsOnlyKnown { return nil }
      throw .nameTooLong(offset: offset, limit: JSONValue.maximumNameLength)
    }
    return name
  }

  private mutating func array() throws(JSONValue.SyntaxFailure) -> JSONValue {
    var elements: [JSONValue] = []
    index += 1
    skipSpace()
    if accept(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      skipSpace()
      let element = try value()
      // The elements of a list usually have the same members.
      if case .object(let members) = element { expectedMembers = members.count }
      elements.append(element)
      skipSpace()
    } while accept(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return .array(elements)
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONValue.SyntaxFailure) -> JSONValue {
    for byte in word.description.utf8 { try expect(byte) }
    return value
  }
}

// MARK: Strings

extension JSONParser {
  private mutating func string() throws(JSONValue.SyntaxFailure) -> String {
    try expect(UInt8(ascii: "\""))
    let start = index
    skipPlainCharacters()
    guard let byte = peek else { throw .unexpectedByte(offset: index) }
    switch byte {
    case UInt8(ascii: "\""):
      index += 1
      return try text(bytes[start..<(index - 1)], from: start)
    case UInt8(ascii: "\\"):
      return try escapedString(from: start)
    default:
      throw .unexpectedByte(offset: index)
    }
  }

  /// Advances to the next quotation mark, reverse solidus or control character, or to the end.
  private mutating func skipPlainCharacters() {
    let bytes = bytes
    let text = bytes.span
    var end = index
    while end < text.count {
      let byte = text[end]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      end += 1
    }
    index = end
  }

  /// Reads the rest of a string from its first escape, which is at the index.
  private mutating func escapedString(
    from start: Int
  ) throws(JSONValue.SyntaxFailure) -> String {
    var content = Array(bytes[start..<index])
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return try text(content[...], from: start)
      case UInt8(ascii: "\\"):
        try appendEscape(to: &content)
      case 0x00...0x1F:
        throw .unexpectedByte(offset: index)
      default:
        content.append(byte)
        index += 1
      }
    }
    throw .unexpectedByte(offset: index)
  }

  private func text(
    _ content: ArraySlice<UInt8>, from start: Int
  ) throws(JSONValue.SyntaxFailure) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .invalidString(offset: start)
    }
    return text
  }

  private mutating func appendEscape(
    to content: inout [UInt8]
  ) throws(JSONValue.SyntaxFailure) {
    let offset = index
    index += 1
    guard let byte = peek else { throw .unexpectedByte(offset: index) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = Unicode.Scalar(try codePoint(escapedAt: offset)) else {
        throw .invalidString(offset: offset)
      }
      content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: throw .unexpectedByte(offset: index - 1)
    }
  }

  /// Reads the code point of one `\uXXXX`, or of the two that form a surrogate pair.
  private mutating func codePoint(
    escapedAt offset: Int
  ) throws(JSONValue.SyntaxFailure) -> UInt32 {
    let first = try fourHexDigits()
    guard (0xD800...0xDBFF).contains(first) else { return first }
    guard accept(UInt8(ascii: "\\")), accept(UInt8(ascii: "u")) else {
      throw .invalidString(offset: offset)
    }
    let second = try fourHexDigits()
    guard (0xDC00...0xDFFF).contains(second) else { throw .invalidString(offset: offset) }
    return 0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00)
  }

  private mutating func fourHexDigits() throws(JSONValue.SyntaxFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek?.hexDigit else {
        throw .unexpectedByte(offset: index)
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}

// MARK: Numbers

extension JSONParser {
  private mutating func number() throws(JSONValue.SyntaxFailure) -> JSONValue {
    let start = index
    let isNegative = accept(UInt8(ascii: "-"))
    var magnitude = 0
    var overflow = false
    let firstDigit = index
    while let digit = peekDigit {
      let (tens, overflow1) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = tens.addingReportingOverflow(digit)
      overflow = overflow || overflow1 || overflow2
      magnitude = sum
      index += 1
    }
    let digits = index - firstDigit
    guard digits == 1 || digits > 1 && bytes[firstDigit] != UInt8(ascii: "0") else {
      throw .unexpectedByte(offset: digits > 1 ? firstDigit + 1 : index)
    }
    let isFractional = try skipFractionAndExponent()
    if !isFractional && !overflow { return .integer(isNegative ? -magnitude : magnitude) }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if !isFractional, let exact = Int(text) { return .integer(exact) }
    guard let value = Double(text), value.isFinite || wantsOnlyKnown else {
      throw .numberOutOfRange(offset: start)
    }
    return .number(value)
  }

  private mutating func skipFractionAndExponent() throws(JSONValue.SyntaxFailure) -> Bool {
    var isFractional = false
    if accept(UInt8(ascii: ".")) {
      isFractional = true
      try skipDigits()
    }
    if accept(UInt8(ascii: "e")) || accept(UInt8(ascii: "E")) {
      isFractional = true
      if !accept(UInt8(ascii: "+")) { _ = accept(UInt8(ascii: "-")) }
      try skipDigits()
    }
    return isFractional
  }

  private mutating func skipDigits() throws(JSONValue.SyntaxFailure) {
    guard peekDigit != nil else { throw .unexpectedByte(offset: index) }
    while peekDigit != nil { index += 1 }
  }

  private var peekDigit: Int? {
    guard let byte = peek, byte.isDigit else { return nil }
    return Int(byte - UInt8(ascii: "0"))
  }
}

// MARK: Bytes

extension JSONParser {
  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(JSONValue.SyntaxFailure) {
    guard accept(byte) else { throw .unexpectedByte(offset: index) }
  }
}

extension JSONValue.SyntaxFailure {
  /// The offset of the first byte at fault.
  package var offset: Int {
    switch self {
    case .unexpectedByte(let offset), .invalidString(let offset), .numberOutOfRange(let offset),
      .nameTooLong(let offset, _):
      offset
    case .tooDeep: 0
    }
  }
}
