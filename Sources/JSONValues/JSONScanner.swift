/// The rules for a JSON text beyond its grammar.
package struct JSONLimits: Sendable {
  /// The maximum depth of nested arrays and objects.
  var depth = Int.max
  /// The maximum length of a member's name in bytes of UTF-8.
  var nameLength = Int.max
  /// Whether a number outside the range of `Double` is refused.
  var isFinite = false
  /// Whether the fault of a string that is no UTF-8 is at its first byte, instead of the first one at fault.
  var refusesStringsWhole = true

  /// The limits of a value of which every member and number is kept.
  package static let values = JSONLimits(
    depth: JSONValue.maximumDepth, nameLength: JSONValue.maximumNameLength, isFinite: true)

  /// The limits of a value of which only known members are needed.
  package static let knownMembers = JSONLimits(depth: JSONValue.maximumDepth)

  /// No limits.
  package static let none = JSONLimits(refusesStringsWhole: false)
}

/// The one scanner of JSON text, which notes the places of all names and values.
///
/// It checks the grammar, so that whoever reads the notes has no doubts. Open containers are linked through
/// their notes, so that no depth exhausts the stack.
///
/// Source: RFC 8259.
struct JSONScanner {
  private let bytes: [UInt8]
  private let limits: JSONLimits
  private var index = 0
  private var depth = 0
  /// The index of the entry of the innermost open container, or -1.
  ///
  /// The extent there is the index of the next outer one.
  private var container = -1
  private(set) var entries: [JSONText.Entry] = []

  /// Scans one value with only white space around it.
  init(_ bytes: [UInt8], within limits: JSONLimits) throws(JSONValue.SyntaxFailure) {
    self.bytes = bytes
    self.limits = limits
    guard bytes.count <= JSONText.maximumByteCount else {
      throw .unexpectedByte(offset: JSONText.maximumByteCount)
    }
    entries.reserveCapacity(Self.capacity(for: bytes))
    skipSpace()
    repeat {
      try startOfValue()
      try endsOfContainers()
    } while container >= 0
    skipSpace()
    guard index == bytes.count else { throw .unexpectedByte(offset: index) }
  }

  /// Returns the number of entries to reserve: of a long text as many as it can need, because notes that grow would
  /// take three times their room for a moment.
  private static func capacity(for bytes: [UInt8]) -> Int {
    guard bytes.count > 1 << 16 else { return min(bytes.count / 16, 1024) + 4 }
    var count = 1
    for byte in bytes {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
      default: break
      }
    }
    return count
  }

  /// Notes a whole value without parts, or the beginnings of containers up to the first value inside.
  private mutating func startOfValue() throws(JSONValue.SyntaxFailure) {
    while true {
      switch peek {
      case UInt8(ascii: "\""):
        _ = try string()
        return
      case UInt8(ascii: "{"):
        guard try open(until: UInt8(ascii: "}")) else { return }
        try name()
      case UInt8(ascii: "["):
        guard try open(until: UInt8(ascii: "]")) else { return }
      case UInt8(ascii: "t"): return try literal("true")
      case UInt8(ascii: "f"): return try literal("false")
      case UInt8(ascii: "n"): return try literal("null")
      default: return try number()
      }
    }
  }

  /// Opens a container, and returns whether it has parts; one without is closed already.
  private mutating func open(until end: UInt8) throws(JSONValue.SyntaxFailure) -> Bool {
    guard depth < limits.depth else { throw .tooDeep(limit: limits.depth) }
    note(index, extent: 1)
    index += 1
    skipSpace()
    if accept(end) { return false }
    let entry = entries.count - 1
    entries[entry].extent = UInt32(truncatingIfNeeded: container)
    container = entry
    depth += 1
    return true
  }

  /// Reads what follows a value: the ends of containers, up to a comma that another value has to follow.
  private mutating func endsOfContainers() throws(JSONValue.SyntaxFailure) {
    while container >= 0 {
      let isObject = bytes[Int(entries[container].offset)] == UInt8(ascii: "{")
      skipSpace()
      if accept(UInt8(ascii: ",")) {
        skipSpace()
        if isObject { try name() }
        return
      }
      try expect(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      let entry = container
      container = Int(Int32(bitPattern: entries[entry].extent))
      entries[entry].extent = UInt32(truncatingIfNeeded: entries.count - entry)
      depth -= 1
    }
  }

  private mutating func name() throws(JSONValue.SyntaxFailure) {
    let offset = index
    guard try string() <= limits.nameLength else {
      throw .nameTooLong(offset: offset, limit: limits.nameLength)
    }
    skipSpace()
    try expect(UInt8(ascii: ":"))
    skipSpace()
  }

  private mutating func literal(_ word: StaticString) throws(JSONValue.SyntaxFailure) {
    note(index, extent: word.utf8CodeUnitCount)
    for byte in word.description.utf8 { try expect(byte) }
  }

  private mutating func number() throws(JSONValue.SyntaxFailure) {
    let start = index
    var mayBeInfinite = false
    _ = accept(UInt8(ascii: "-"))
    if !accept(UInt8(ascii: "0")) { try digits() }
    if accept(UInt8(ascii: ".")) { try digits() }
    if accept(UInt8(ascii: "e")) || accept(UInt8(ascii: "E")) {
      mayBeInfinite = true
      if !accept(UInt8(ascii: "+")) { _ = accept(UInt8(ascii: "-")) }
      try digits()
    }
    note(start, extent: index - start)
    // The greatest number has 309 digits.
    guard limits.isFinite, mayBeInfinite || index - start > 308 else { return }
    let value = Double(String(decoding: bytes[start..<index], as: UTF8.self))
    guard let value, value.isFinite else { throw .numberOutOfRange(offset: start) }
  }

  private mutating func digits() throws(JSONValue.SyntaxFailure) {
    guard let first = peek, first.isDigit else { throw .unexpectedByte(offset: index) }
    while let byte = peek, byte.isDigit { index += 1 }
  }

  private mutating func note(_ offset: Int, extent: Int, flag: UInt32 = 0) {
    entries.append(
      JSONText.Entry(
        offset: UInt32(truncatingIfNeeded: offset),
        extent: UInt32(truncatingIfNeeded: extent) | flag))
  }
}

// MARK: Strings

extension JSONScanner {
  /// Notes a string, and returns its length without escapes.
  private mutating func string() throws(JSONValue.SyntaxFailure) -> Int {
    try expect(UInt8(ascii: "\""))
    let start = index
    var isUnicode = true
    // The bytes that the escapes take more than what they stand for.
    var excess = 0
    while true {
      skipPlainASCII()
      guard let byte = peek, byte >= 0x20 else { throw .unexpectedByte(offset: index) }
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        excess += try escape()
      } else if !skipScalar() {
        guard limits.refusesStringsWhole else { throw .invalidString(offset: index) }
        isUnicode = false
        index += 1
      }
    }
    guard isUnicode else { throw .invalidString(offset: start) }
    let length = index - start
    note(start - 1, extent: length, flag: excess > 0 ? JSONText.Entry.escapes : 0)
    index += 1
    return length - excess
  }

  private mutating func skipPlainASCII() {
    let bytes = bytes
    let text = bytes.span
    var end = index
    while end <= text.count - 8, text.word(at: end).isPlainASCII { end += 8 }
    while end < text.count {
      let byte = text[end]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 {
        break
      }
      end += 1
    }
    index = end
  }

  /// Skips a character of several bytes, unless it is no UTF-8.
  ///
  /// Source: RFC 3629, section 4.
  private mutating func skipScalar() -> Bool {
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
    guard count > 0, count <= bytes.count - index, second.contains(bytes[index + 1]),
      bytes[(index + 2)..<(index + count)].allSatisfy({ $0 & 0xC0 == 0x80 })
    else { return false }
    index += count
    return true
  }

  /// Reads an escape, and returns how many bytes it takes more than its character.
  private mutating func escape() throws(JSONValue.SyntaxFailure) -> Int {
    let offset = index
    index += 1
    guard let byte = peek else { throw .unexpectedByte(offset: index) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 1
    case UInt8(ascii: "u"):
      let unit = try fourHexDigits()
      guard (0xD800...0xDFFF).contains(unit) else { return unit < 0x80 ? 5 : unit < 0x800 ? 4 : 3 }
      guard unit < 0xDC00, accept(UInt8(ascii: "\\")), accept(UInt8(ascii: "u")),
        (0xDC00...0xDFFF).contains(try fourHexDigits())
      else { throw .invalidString(offset: offset) }
      return 8
    default: throw .unexpectedByte(offset: index - 1)
    }
  }

  private mutating func fourHexDigits() throws(JSONValue.SyntaxFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek?.hexDigit.map(UInt32.init) else {
        throw .unexpectedByte(offset: index)
      }
      value = value << 4 | digit
      index += 1
    }
    return value
  }
}

// MARK: Bytes

extension Span<UInt8> {
  /// Eight bytes at an offset, which must be there.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Any eight bytes are an integer, and the call checks that they lie in the span.
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}

extension UInt64 {
  /// Whether none of eight bytes ends a plain string or has to be looked at: a quotation mark, a backslash, a
  /// control character, or a byte beyond ASCII.
  ///
  /// A byte without its highest bit gets it by the subtraction if it is less, or by a borrow of one that is.
  @inline(__always)
  fileprivate var isPlainASCII: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ ones &* UInt64(UInt8(ascii: "\""))
    let backslashes = self ^ ones &* UInt64(UInt8(ascii: "\\"))
    let found = self | (self &- ones &* 0x20) | (quotes &- ones) | (backslashes &- ones)
    return found & (ones &* 0x80) == 0
  }
}

extension JSONScanner {
  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte <= 0x20, byte.isJSONSpace { index += 1 }
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
