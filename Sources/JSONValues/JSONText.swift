/// JSON text that was scanned, from which values are read where they are.
///
/// A tree takes a multiple of the text's memory. This takes 4 bytes for each name and value, and 4 more for an array
/// or object, and only those that are asked for are read. An object is walked in the order of the text, with all
/// duplicates.
///
/// Source: RFC 8259.
package struct JSONText: Sendable {
  /// The maximum length of a text; offsets are noted in 31 bits.
  static let maximumByteCount = Int(Int32.max)
  /// The flag in the note of a string with escapes.
  static let escapes: UInt32 = 1 << 31

  let bytes: [UInt8]
  /// The offset of the first byte of each name and value, in the order of the text.
  ///
  /// That of an array or object is followed by the number of notes in it and its own two.
  let notes: [UInt32]

  /// The place of a value.
  package struct Place: Hashable, Sendable {
    /// The index of the note.
    let note: Int
  }

  /// A member of an object.
  package struct Member: Sendable {
    /// The place of the name, which is a string.
    package let name: Place
    package let value: Place
  }

  /// Checks the grammar of a whole text, by default at any depth, with names of any length and numbers of any size.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8, of which a byte-order mark is no part. The caller limits the size.
  ///   - limits: The rules beyond the grammar.
  /// - Throws: `SyntaxFailure` for the first fault.
  package init(
    checking bytes: [UInt8], within limits: JSONLimits = .none
  ) throws(JSONValue.SyntaxFailure) {
    notes = try JSONScanner.notes(of: bytes, within: limits)
    self.bytes = bytes
  }

  /// The text of nothing, without a value.
  init() { self.init(bytes: [], notes: []) }

  init(bytes: [UInt8], notes: [UInt32]) {
    self.bytes = bytes
    self.notes = notes
  }

  /// The place of the whole value.
  package var root: Place { Place(note: 0) }

  /// The kind of the value at a place, for numbers always `number`.
  package func kind(at place: Place) -> JSONKind {
    switch bytes[offset(of: place)] {
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  func offset(of place: Place) -> Int { Int(notes[place.note] & ~Self.escapes) }

  /// Whether a string has escapes.
  func hasEscapes(at place: Place) -> Bool { notes[place.note] & Self.escapes != 0 }
}

// MARK: Scalars

extension JSONText {
  /// The boolean at a place, or nil for another kind.
  package func boolean(at place: Place) -> Bool? {
    kind(at: place) == .boolean ? bytes[offset(of: place)] == UInt8(ascii: "t") : nil
  }

  /// The integer at a place, or nil for another kind, a fraction or exponent, or more than 64 bits.
  package func integer(at place: Place) -> Int? {
    guard kind(at: place) == .number else { return nil }
    let text = bytes.span
    var index = offset(of: place)
    let isNegative = text[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    // Counts down, as there is one negative number more.
    var value = 0
    while index < text.count, text[index].isPartOfNumber {
      guard text[index].isDigit else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = tens.subtractingReportingOverflow(
        Int(text[index] - UInt8(ascii: "0")))
      if overflow || overflow2 { return nil }
      value = sum
      index += 1
    }
    return isNegative ? value : value == .min ? nil : -value
  }

  /// The number that a string of 1 to 18 digits without escapes stands for, or nil for any other value.
  package func digits(at place: Place) -> Int? {
    let text = bytes.span
    let start = offset(of: place) + 1
    guard text[start - 1] == UInt8(ascii: "\"") else { return nil }
    var index = start
    var value = 0
    while text[index].isDigit, index - start < 18 {
      value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    return text[index] == UInt8(ascii: "\"") && index > start ? value : nil
  }

  /// The text of the number at a place, or nil for another kind.
  package func number(at place: Place) -> String? {
    guard kind(at: place) == .number else { return nil }
    let start = offset(of: place)
    var end = start
    while end < bytes.count, bytes[end].isPartOfNumber { end += 1 }
    return bytes.span.text(start..<end)
  }
}

// MARK: Containers

extension JSONText {
  /// The elements of the array at a place, or none if it is no array.
  package func elements(at place: Place) -> Elements {
    Elements(text: self, of: kind(at: place) == .array ? place : nil)
  }

  /// The number of elements of the array at a place if all are like the first, but at most as many as fill as much
  /// memory as the array has bytes.
  package func likelyCount(at place: Place, stride: Int) -> Int {
    let first = place.note + 2
    let end = end(of: place)
    guard kind(at: place) == .array, first < end else { return 0 }
    let count = (end - first) / (self.end(of: Place(note: first)) - first) + 1
    let endOffset = end < notes.count ? offset(of: Place(note: end)) : bytes.count
    return min(count, (endOffset - offset(of: place)) / max(stride, 1))
  }

  /// The members of the object at a place, or none if it is no object.
  package func members(at place: Place) -> Members {
    Members(text: self, of: kind(at: place) == .object ? place : nil)
  }

  /// The index of the note after the name or value at a place.
  func end(of place: Place) -> Int {
    switch bytes[offset(of: place)] {
    case UInt8(ascii: "["), UInt8(ascii: "{"): place.note + Int(notes[place.note + 1])
    default: place.note + 1
    }
  }

  /// The places of an array's elements, in order.
  package struct Elements: Sequence, IteratorProtocol {
    private let text: JSONText
    private var upcoming: Int
    private let end: Int

    init(text: JSONText, of array: Place?) {
      self.text = text
      upcoming = array.map { $0.note + 2 } ?? 0
      end = array.map { text.end(of: $0) } ?? 0
    }

    /// Returns the place of the next element.
    package mutating func next() -> Place? {
      guard upcoming < end else { return nil }
      let place = Place(note: upcoming)
      upcoming = text.end(of: place)
      return place
    }
  }

  /// The members of an object, in the order of the text.
  package struct Members: Sequence, IteratorProtocol {
    private var places: Elements

    init(text: JSONText, of object: Place?) {
      places = Elements(text: text, of: object)
    }

    /// Returns the next member.
    package mutating func next() -> Member? {
      guard let name = places.next(), let value = places.next() else { return nil }
      return Member(name: name, value: value)
    }
  }
}

// MARK: Values

extension JSONText {
  /// The value at a place, of a text whose depth is limited.
  ///
  /// The first of duplicate members is kept. One with a name longer than ``JSONValue/maximumNameLength`` is left
  /// out, and a number outside the range of `Double` is infinite.
  package func value(at place: Place) -> JSONValue {
    switch bytes[offset(of: place)] {
    case UInt8(ascii: "\""): .string(string(at: place) ?? "")
    case UInt8(ascii: "{"): .object(object(at: place))
    case UInt8(ascii: "["): .array(elements(at: place).map { value(at: $0) })
    case UInt8(ascii: "t"): .boolean(true)
    case UInt8(ascii: "f"): .boolean(false)
    case UInt8(ascii: "n"): .null
    default:
      integer(at: place).map { .integer($0) }
        ?? .number(number(at: place).flatMap { Double($0) } ?? .infinity)
    }
  }

  func object(at place: Place) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    // Signed payloads have about 20 members; reserving once saves five reallocations. The extent counts what is in
    // the members too, of which a hostile text may have any number.
    let count = self.members(at: place).reduce(0) { count, _ in count + 1 }
    if count > 0 { members.reserveCapacity(min(count, 24)) }
    let limit = JSONValue.maximumNameLength
    for member in self.members(at: place) {
      guard let name = string(at: member.name, limit: limit), name.utf8.count <= limit else {
        continue
      }
      // Duplicates are rare, so each name is hashed once, and the first value is put back if there was one.
      if let first = members.updateValue(value(at: member.value), forKey: name) {
        members[name] = first
      }
    }
    return members
  }
}

extension UInt8 {
  /// Whether the byte can be in a number, after which no such byte comes.
  fileprivate var isPartOfNumber: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
