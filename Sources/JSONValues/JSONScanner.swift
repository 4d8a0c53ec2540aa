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
  ///
  /// A member with a longer name than ``JSONValue/maximumNameLength`` is left out, and a number outside the range of
  /// `Double` is infinite, which no model accepts.
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
@safe struct JSONScanner {
  private let limits: JSONLimits
  private var index = 0
  private var depth = 0
  /// The index of the note of the innermost open container, or -1.
  ///
  /// The note after it is the index of the next outer one, until the container ends.
  private var container = -1
  private var isInObject = false
  /// Room for all notes, which is there while a text is scanned; each write is checked.
  private let notes: UnsafeMutableBufferPointer<UInt32>
  private var count = 0

  private init(_ notes: UnsafeMutableBufferPointer<UInt32>, within limits: JSONLimits) {
    self.limits = limits
    unsafe self.notes = notes
  }

  /// Scans one value with only white space around it, and returns the notes of ``JSONText``.
  static func notes(
    of bytes: [UInt8], within limits: JSONLimits
  ) throws(JSONValue.SyntaxFailure) -> [UInt32] {
    guard bytes.count <= JSONText.maximumByteCount else {
      throw .unexpectedByte(offset: JSONText.maximumByteCount)
    }
    var failure: JSONValue.SyntaxFailure?
    // Room that is not filled first: a hostile text asks for more than it needs, which then takes no memory.
    let notes = unsafe [UInt32](unsafeUninitializedCapacity: bytes.span.maximumNoteCount) {
      notes, count in
      var scanner = unsafe JSONScanner(notes, within: limits)
      do throws(JSONValue.SyntaxFailure) {
        try scanner.scan(bytes.span)
        count = scanner.count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return notes
  }

  private mutating func scan(_ text: Span<UInt8>) throws(JSONValue.SyntaxFailure) {
    skipSpace(in: text)
    repeat {
      try startOfValue(in: text)
      try endsOfContainers(in: text)
    } while container >= 0
    skipSpace(in: text)
    guard index == text.count else { throw .unexpectedByte(offset: index) }
  }

  /// Notes a whole value without parts, or the beginnings of containers up to the first value inside.
  @inline(__always)
  private mutating func startOfValue(in text: Span<UInt8>) throws(JSONValue.SyntaxFailure) {
    while true {
      switch peek(in: text) {
      case UInt8(ascii: "\""):
        _ = try string(in: text)
        return
      case UInt8(ascii: "{"):
        guard try open(until: UInt8(ascii: "}"), in: text) else { return }
        try name(in: text)
      case UInt8(ascii: "["):
        guard try open(until: UInt8(ascii: "]"), in: text) else { return }
      case UInt8(ascii: "t"): return try literal("true", in: text)
      case UInt8(ascii: "f"): return try literal("false", in: text)
      case UInt8(ascii: "n"): return try literal("null", in: text)
      default: return try number(in: text)
      }
    }
  }

  /// Opens a container, and returns whether it has parts; one without is closed already.
  private mutating func open(
    until end: UInt8, in text: Span<UInt8>
  ) throws(JSONValue.SyntaxFailure) -> Bool {
    guard depth < limits.depth else { throw .tooDeep(limit: limits.depth) }
    note(UInt32(truncatingIfNeeded: index))
    note(2)
    index += 1
    skipSpace(in: text)
    if accept(end, in: text) { return false }
    unsafe notes[count - 1] = UInt32(truncatingIfNeeded: container)
    container = count - 2
    isInObject = end == UInt8(ascii: "}")
    depth += 1
    return true
  }

  /// Reads what follows a value: the ends of containers, up to a comma that another value has to follow.
  @inline(__always)
  private mutating func endsOfContainers(in text: Span<UInt8>) throws(JSONValue.SyntaxFailure) {
    while container >= 0 {
      skipSpace(in: text)
      if accept(UInt8(ascii: ","), in: text) {
        skipSpace(in: text)
        if isInObject { try name(in: text) }
        return
      }
      try expect(isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), in: text)
      close(in: text)
    }
  }

  private mutating func close(in text: Span<UInt8>) {
    let extent = UInt32(truncatingIfNeeded: count - container)
    let outer = unsafe notes[container + 1]
    unsafe notes[container + 1] = extent
    container = outer == .max ? -1 : Int(outer)
    depth -= 1
    guard container >= 0 else { return }
    isInObject = text[Int(unsafe notes[container])] == UInt8(ascii: "{")
  }

  @inline(__always)
  private mutating func name(in text: Span<UInt8>) throws(JSONValue.SyntaxFailure) {
    let offset = index
    guard try string(in: text) <= limits.nameLength else {
      throw .nameTooLong(offset: offset, limit: limits.nameLength)
    }
    skipSpace(in: text)
    try expect(UInt8(ascii: ":"), in: text)
    skipSpace(in: text)
  }

  private mutating func literal(
    _ word: StaticString, in text: Span<UInt8>
  ) throws(JSONValue.SyntaxFailure) {
    note(UInt32(truncatingIfNeeded: index))
    for byte in word.description.utf8 { try expect(byte, in: text) }
  }

  private mutating func number(in text: Span<UInt8>) throws(JSONValue.SyntaxFailure) {
    let start = index
    var mayBeInfinite = false
    _ = accept(UInt8(ascii: "-"), in: text)
    if !accept(UInt8(ascii: "0"), in: text) { try digits(in: text) }
    if accept(UInt8(ascii: "."), in: text) { try digits(in: text) }
    if accept(UInt8(ascii: "e"), in: text) || accept(UInt8(ascii: "E"), in: text) {
      mayBeInfinite = true
      if !accept(UInt8(ascii: "+"), in: text) { _ = accept(UInt8(ascii: "-"), in: text) }
      try digits(in: text)
    }
    note(UInt32(truncatingIfNeeded: start))
    // The greatest number has 309 digits.
    guard limits.isFinite, mayBeInfinite || index - start > 308 else { return }
    let value = Double(text.text(start..<index))
    guard let value, value.isFinite else { throw .numberOutOfRange(offset: start) }
  }

  @inline(__always)
  private mutating func digits(in text: Span<UInt8>) throws(JSONValue.SyntaxFailure) {
    guard let first = peek(in: text), first.isDigit else { throw .unexpectedByte(offset: index) }
    while let byte = peek(in: text), byte.isDigit { index += 1 }
  }

  @inline(__always)
  private mutating func note(_ note: UInt32) {
    precondition(unsafe count < notes.count, "there is room for every note")
    unsafe notes[count] = note
    count += 1
  }
}

// MARK: Strings

extension JSONScanner {
  /// Notes a string, and returns its length without escapes.
  @inline(__always)
  private mutating func string(
    in text: Span<UInt8>
  ) throws(JSONValue.SyntaxFailure) -> Int {
    try expect(UInt8(ascii: "\""), in: text)
    let start = index
    index = text.endOfPlainText(from: start)
    guard peek(in: text) == UInt8(ascii: "\"") else {
      return try restOfString(from: start, in: text)
    }
    note(UInt32(truncatingIfNeeded: start - 1))
    index += 1
    return index - start - 1
  }

  /// Reads on in a string that has more than plain characters.
  private mutating func restOfString(
    from start: Int, in text: Span<UInt8>
  ) throws(JSONValue.SyntaxFailure) -> Int {
    var isUnicode = true
    // The bytes that the escapes take more than what they stand for.
    var excess = 0
    while true {
      guard let byte = peek(in: text), byte >= 0x20 else { throw .unexpectedByte(offset: index) }
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        excess += try escape(in: text)
      } else if !skipScalar(in: text) {
        guard limits.refusesStringsWhole else { throw .invalidString(offset: index) }
        isUnicode = false
        index += 1
      }
      index = text.endOfPlainText(from: index)
    }
    guard isUnicode else { throw .invalidString(offset: start) }
    let flag = excess > 0 ? JSONText.escapes : 0
    note(UInt32(truncatingIfNeeded: start - 1) | flag)
    index += 1
    return index - start - 1 - excess
  }

  /// Skips a character of several bytes, unless it is no UTF-8.
  ///
  /// Source: RFC 3629, section 4.
  @inline(__always)
  private mutating func skipScalar(in text: Span<UInt8>) -> Bool {
    let first = text[index]
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
    guard count > 0, count <= text.count - index, second.contains(text[index + 1]) else {
      return false
    }
    for place in (index + 2)..<(index + count) where text[place] & 0xC0 != 0x80 { return false }
    index += count
    return true
  }

  /// Reads an escape, and returns how many bytes it takes more than its character.
  private mutating func escape(in text: Span<UInt8>) throws(JSONValue.SyntaxFailure) -> Int {
    let offset = index
    index += 1
    guard let byte = peek(in: text) else { throw .unexpectedByte(offset: index) }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 1
    case UInt8(ascii: "u"):
      let unit = try fourHexDigits(in: text)
      guard (0xD800...0xDFFF).contains(unit) else { return unit < 0x80 ? 5 : unit < 0x800 ? 4 : 3 }
      guard unit < 0xDC00, accept(UInt8(ascii: "\\"), in: text),
        accept(UInt8(ascii: "u"), in: text),
        (0xDC00...0xDFFF).contains(try fourHexDigits(in: text))
      else { throw .invalidString(offset: offset) }
      return 8
    default: throw .unexpectedByte(offset: index - 1)
    }
  }

  private mutating func fourHexDigits(
    in text: Span<UInt8>
  ) throws(JSONValue.SyntaxFailure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek(in: text)?.hexDigit.map(UInt32.init) else {
        throw .unexpectedByte(offset: index)
      }
      value = value << 4 | digit
      index += 1
    }
    return value
  }
}

// MARK: Bytes

extension JSONScanner {
  @inline(__always)
  private func peek(in text: Span<UInt8>) -> UInt8? { index < text.count ? text[index] : nil }

  @inline(__always)
  private mutating func skipSpace(in text: Span<UInt8>) {
    if let byte = peek(in: text), byte <= 0x20 { skipMoreSpace(in: text) }
  }

  private mutating func skipMoreSpace(in text: Span<UInt8>) {
    while let byte = peek(in: text), byte.isJSONSpace {
      index += 1
      // A pretty text has a line feed and then many spaces.
      while byte == UInt8(ascii: "\n"), index <= text.count - 8 {
        let count = text.word(at: index).leadingSpaceCount
        index += count
        if count < 8 { break }
      }
    }
  }

  @inline(__always)
  private mutating func accept(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
    guard peek(in: text) == byte else { return false }
    index += 1
    return true
  }

  @inline(__always)
  private mutating func expect(
    _ byte: UInt8, in text: Span<UInt8>
  ) throws(JSONValue.SyntaxFailure) {
    guard accept(byte, in: text) else { throw .unexpectedByte(offset: index) }
  }
}

extension Span<UInt8> {
  /// The maximum number of notes of a text: one for each name and scalar, of which all but one follow a sign, and one
  /// more for each container.
  fileprivate var maximumNoteCount: Int {
    var total = 1
    var start = 0
    // The count of a part fits a byte, so that the compiler takes sixteen bytes of the text at a time.
    let length = 112
    while start < count {
      let part = extracting(start..<Swift.min(start + length, count))
      var count: UInt8 = 0
      for index in part.indices {
        let byte = part[index]
        let isSeparator = byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
        // An opening bracket and an opening brace differ in one bit.
        let isOpening = byte | 0x20 == UInt8(ascii: "{")
        count &+= (isSeparator ? 1 : 0) &+ (isOpening ? 2 : 0)
      }
      total += Int(count)
      start += length
    }
    return total + 1
  }
}
