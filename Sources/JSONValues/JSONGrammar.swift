/// A checker of JSON text that builds nothing.
///
/// It needs one bit for each level of nesting, so that no text can exhaust memory or the stack. There is no
/// limit of depth, and any length of a name and any size of a number is fine.
///
/// Source: RFC 8259.
struct JSONGrammar {
  private let bytes: [UInt8]
  private var index = 0
  /// The open containers, one bit each: 1 for an object.
  private var containers = BitStack()

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Checks that bytes are one value with only white space around it.
  static func check(_ bytes: [UInt8]) throws(JSONValue.SyntaxFailure) {
    var grammar = JSONGrammar(bytes: bytes)
    try grammar.text()
  }

  private mutating func text() throws(JSONValue.SyntaxFailure) {
    repeat {
      skipSpace()
      try startOfValue()
      try endsOfContainers()
    } while !containers.isEmpty
    skipSpace()
    guard index == bytes.count else { throw .unexpectedByte(offset: index) }
  }

  /// Reads a whole value without parts, or the signs of containers up to the first value inside.
  private mutating func startOfValue() throws(JSONValue.SyntaxFailure) {
    while true {
      switch peek {
      case UInt8(ascii: "["):
        index += 1
        skipSpace()
        if accept(UInt8(ascii: "]")) { return }
        containers.push(false)
      case UInt8(ascii: "{"):
        index += 1
        skipSpace()
        if accept(UInt8(ascii: "}")) { return }
        containers.push(true)
        try name()
      case UInt8(ascii: "\""): return try string()
      case UInt8(ascii: "t"): return try literal("true")
      case UInt8(ascii: "f"): return try literal("false")
      case UInt8(ascii: "n"): return try literal("null")
      default: return try number()
      }
    }
  }

  /// Reads what follows a value: the ends of containers, up to a comma that another value has to follow.
  private mutating func endsOfContainers() throws(JSONValue.SyntaxFailure) {
    while let isObject = containers.last {
      skipSpace()
      if accept(UInt8(ascii: ",")) {
        skipSpace()
        if isObject { try name() }
        return
      }
      try expect(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      containers.pop()
    }
  }

  private mutating func name() throws(JSONValue.SyntaxFailure) {
    try string()
    skipSpace()
    try expect(UInt8(ascii: ":"))
    skipSpace()
  }

  private mutating func literal(_ word: StaticString) throws(JSONValue.SyntaxFailure) {
    for byte in word.description.utf8 { try expect(byte) }
  }

  private mutating func number() throws(JSONValue.SyntaxFailure) {
    _ = accept(UInt8(ascii: "-"))
    if !accept(UInt8(ascii: "0")) { try digits() }
    if accept(UInt8(ascii: ".")) { try digits() }
    if accept(UInt8(ascii: "e")) || accept(UInt8(ascii: "E")) {
      if !accept(UInt8(ascii: "+")) { _ = accept(UInt8(ascii: "-")) }
      try digits()
    }
  }

  private mutating func digits() throws(JSONValue.SyntaxFailure) {
    guard let first = peek, first.isDigit else { throw .unexpectedByte(offset: index) }
    while let byte = peek, byte.isDigit { index += 1 }
  }
}

// MARK: Strings

extension JSONGrammar {
  private mutating func string() throws(JSONValue.SyntaxFailure) {
    try expect(UInt8(ascii: "\""))
    while true {
      skipPlainASCII()
      switch peek {
      case UInt8(ascii: "\""):
        index += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case .some(let byte) where byte >= 0x80: try scalar()
      default: throw .unexpectedByte(offset: index)
      }
    }
  }

  private mutating func skipPlainASCII() {
    let bytes = bytes
    let text = bytes.span
    var end = index
    while end < text.count {
      let byte = text[end]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 {
        break
      }
      end += 1
    }
    index = end
  }

  /// Reads a character of several bytes.
  ///
  /// Source: RFC 3629, section 4.
  private mutating func scalar() throws(JSONValue.SyntaxFailure) {
    let start = index
    let first = bytes[index]
    let second: ClosedRange<UInt8> =
      switch first {
      case 0xE0: 0xA0...0xBF
      case 0xED: 0x80...0x9F
      case 0xF0: 0x90...0xBF
      case 0xF4: 0x80...0x8F
      default: 0x80...0xBF
      }
    let count =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard count > 0, count <= bytes.count - start, second.contains(bytes[start + 1]) else {
      throw .invalidString(offset: start)
    }
    for place in (start + 2)..<(start + count) where !(0x80...0xBF).contains(bytes[place]) {
      throw .invalidString(offset: start)
    }
    index = start + count
  }

  private mutating func escape() throws(JSONValue.SyntaxFailure) {
    let offset = index
    index += 1
    guard let byte = peek else { throw .unexpectedByte(offset: index) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      let unit = try fourHexDigits()
      guard (0xD800...0xDFFF).contains(unit) else { return }
      guard unit < 0xDC00, accept(UInt8(ascii: "\\")), accept(UInt8(ascii: "u")),
        (0xDC00...0xDFFF).contains(try fourHexDigits())
      else { throw .invalidString(offset: offset) }
    default: throw .unexpectedByte(offset: index - 1)
    }
  }

  private mutating func fourHexDigits() throws(JSONValue.SyntaxFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek?.hexDigit else { throw .unexpectedByte(offset: index) }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}

// MARK: Bytes

extension JSONGrammar {
  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte.isJSONSpace { index += 1 }
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
