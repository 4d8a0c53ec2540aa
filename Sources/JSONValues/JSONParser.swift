extension JSONValue {
  /// Why a text is not JSON.
  @nonexhaustive
  public enum SyntaxFailure: Error, Hashable, Sendable {
    /// The text breaks the grammar of RFC 8259 at this byte, or ends there too early.
    case unexpectedByte(offset: Int)
    /// A string is not UTF-8 (the offset is behind its quotation mark), or escapes half of a
    /// surrogate pair (the offset is that of the escape).
    case invalidString(offset: Int)
    /// A number is beyond what a `Double` can hold.
    case numberOutOfRange(offset: Int)
    /// Arrays and objects are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// The name of an object's member has more bytes than the limit.
    case nameTooLong(offset: Int, limit: Int)
  }

  /// How deeply arrays and objects may be nested.
  public static let maximumDepth = 64

  /// How many bytes the name of an object's member may have in UTF-8.
  ///
  /// Hashing a text takes time that grows with the square of a run of combining marks, so names are
  /// kept short; Apple's have a few dozen bytes at most.
  public static let maximumNameLength = 128

  /// Reads one JSON text, which must fill the bytes but for white space around it.
  ///
  /// Stricter than most readers: no byte-order mark, no trailing comma, no comment, no invalid
  /// UTF-8. Of duplicate members of an object the first counts and the others are dropped, as in
  /// Foundation's `JSONDecoder`. The caller bounds the size; nesting is bounded by
  /// ``maximumDepth``, names by ``maximumNameLength``.
  ///
  /// Source: RFC 8259.
  ///
  /// - Parameter bytes: The text in UTF-8.
  /// - Throws: ``SyntaxFailure``, with the offset in bytes.
  public init(parsing bytes: [UInt8]) throws(SyntaxFailure) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.text()
  }

  /// Reads one JSON text of which only known members are wanted, as ``init(parsing:)`` does; a member
  /// whose name is longer than ``maximumNameLength`` is left out, and a number beyond `Double` is an
  /// infinite one, which no model takes.
  ///
  /// - Parameter bytes: The text in UTF-8.
  /// - Throws: ``SyntaxFailure``, with the offset in bytes.
  package init(parsingKnown bytes: [UInt8]) throws(SyntaxFailure) {
    var parser = JSONParser(bytes: bytes)
    parser.wantsOnlyKnown = true
    self = try parser.text()
  }
}

/// A recursive-descent reader over bytes; its recursion is bounded by `JSONValue.maximumDepth`.
///
/// Foundation's decoder is not used because one reader has to serve the clock candidate and the
/// model alike (contract, section 1.1), keep unknown members, and be bounded in depth; through it the
/// same model takes about as long as verifying the signature (see the benchmarks).
private struct JSONParser {
  let bytes: [UInt8]
  var index = 0
  var depth = 0
  /// How many members the next object should have room for.
  var expectedMembers = 0
  /// Whether members with names that are too long are left out, and numbers that are too large taken
  /// as infinite, instead of refused.
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
    // The signed payloads have about 20 members; growing to that in one step saves five.
    members.reserveCapacity(depth == 1 ? 24 : expectedMembers)
    expectedMembers = 0
    repeat {
      skipSpace()
      let name = try name()
      skipSpace()
      try expect(UInt8(ascii: ":"))
      skipSpace()
      let value = try value()
      // Duplicates are rare: hash the name once, and put the first back if there was one.
      if let name, let first = members.updateValue(value, forKey: name) { members[name] = first }
      skipSpace()
    } while accept(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return .object(members)
  }

  /// Nil for a name that is to be left out.
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
      // The elements of a list mostly have the same members.
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

  /// Moves on to the next quotation mark, reverse solidus or control character, or to the end.
  private mutating func skipPlainCharacters() {
    let bytes = bytes
    let text = bytes.span
    var place = index
    while place < text.count {
      let byte = text[place]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      place += 1
    }
    index = place
  }

  /// The rest of a string whose first escape is at the index.
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

  /// The code point of one `\uXXXX`, or of the two that make a surrogate pair.
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
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
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
    guard let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
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
