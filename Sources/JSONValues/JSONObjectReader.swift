/// The members of an object in a text, which are found by name and taken one after the other.
///
/// A name is found by its bytes: nothing is copied or hashed. The first of duplicates is found, and each name is
/// taken at most once.
package struct JSONObjectReader: Sendable {
  package let text: JSONText
  /// A mark of one byte for each of 64 members, eight in a word, and then a word for each member: the length of its
  /// name above the index of the name's note.
  private let words: [UInt64]
  /// A bit for each member, the first in the lowest one.
  private let allMembers: UInt64
  /// Those of the members that were not taken.
  private var untaken: UInt64

  /// A member that was found.
  package struct Found {
    fileprivate let number: Int
    package let value: JSONText.Place
  }

  /// The maximum number of members.
  private static let maximumCount = UInt64.bitWidth
  private static let markWordCount = maximumCount / 8

  /// Creates a reader without members.
  package init() {
    text = JSONText()
    words = []
    allMembers = 0
    untaken = 0
  }

  /// Creates a reader of the object at a place, or returns nil for another kind, and for more than 64 members.
  package init?(_ text: JSONText, at place: JSONText.Place) {
    guard text.kind(at: place) == .object else { return nil }
    var note = place.note + 2
    let end = text.end(of: place)
    let room = min((end - note) / 2, Self.maximumCount)
    var words = [UInt64](repeating: 0, count: Self.markWordCount + room)
    var count = 0
    do {
      var words = words.mutableSpan
      while note < end {
        guard count < Self.maximumCount else { return nil }
        let name = JSONText.Place(note: note)
        let (length, mark) = Self.lengthAndMark(of: name, in: text)
        words[count / 8] |= UInt64(mark) << UInt64(count % 8 * 8)
        words[Self.markWordCount + count] = UInt64(length) << 32 | UInt64(note)
        note = text.end(of: JSONText.Place(note: note + 1))
        count += 1
      }
    }
    self.text = text
    self.words = words
    allMembers = count == 0 ? 0 : .max >> UInt64(Self.maximumCount - count)
    untaken = allMembers
  }

  /// The first member with a name that was not taken.
  package func first(_ name: String) -> Found? { first(name, of: untaken) }

  private func first(_ name: String, of candidates: UInt64) -> Found? {
    // A text's own bytes, which are only read while the closure runs; each access is checked.
    let found = unsafe name.utf8.withContiguousStorageIfAvailable { name in
      unsafe find(name.span, in: candidates)
    }
    guard let found else {
      var name = name
      name.makeContiguousUTF8()
      return first(name, of: candidates)
    }
    return found
  }

  private func find(_ name: Span<UInt8>, in candidates: UInt64) -> Found? {
    let mark = Self.mark(of: name)
    let words = words.span
    var word = 0
    while word * 8 < words.count - Self.markWordCount {
      var found = words[word].marks(of: mark) & .highBits
      while found != 0 {
        let number = word * 8 + found.trailingZeroBitCount / 8
        found &= found - 1
        // Marks above the first may be wrong.
        guard candidates & (1 << UInt64(number)) != 0 else { continue }
        let member = words[Self.markWordCount + number]
        let note = Int(member & 0xFFFF_FFFF)
        if member >> 32 == name.count, text.isName(at: JSONText.Place(note: note), sameLength: name)
        {
          return Found(number: number, value: JSONText.Place(note: note + 1))
        }
      }
      word += 1
    }
    return nil
  }

  /// Takes a member that was found.
  package mutating func take(_ found: Found) { untaken &= ~(1 << UInt64(found.number)) }

  /// The members that were not taken, without those that are `null`.
  ///
  /// One with a name longer than ``JSONValue/maximumNameLength`` is left out, as in a value.
  package var rest: [String: JSONValue] {
    guard untaken != 0 else { return [:] }
    var rest = [String: JSONValue](minimumCapacity: untaken.nonzeroBitCount)
    var hasNull = false
    // A duplicate of a member that was taken is none of the rest.
    let taken = ~untaken & allMembers
    let limit = JSONValue.maximumNameLength
    var numbers = untaken
    while numbers != 0 {
      let number = numbers.trailingZeroBitCount
      numbers &= numbers - 1
      let place = self.name(number)
      guard let name = text.string(at: place, limit: limit), name.utf8.count <= limit,
        first(name, of: taken) == nil
      else { continue }
      let value = text.value(at: JSONText.Place(note: place.note + 1))
      if case .null = value { hasNull = true }
      if let first = rest.updateValue(value, forKey: name) { rest[name] = first }
    }
    return hasNull ? rest.filter { $0.value != .null } : rest
  }

  private func name(_ number: Int) -> JSONText.Place {
    JSONText.Place(note: Int(words[Self.markWordCount + number] & 0xFFFF_FFFF))
  }
}

// MARK: Names

extension JSONObjectReader {
  /// The length of a name, and the mark by which most others are told from it.
  @inline(__always)
  private static func lengthAndMark(of name: JSONText.Place, in text: JSONText) -> (Int, UInt8) {
    if text.hasEscapes(at: name) {
      // One that is longer than any name of a model has the length of none.
      let content = text.content(at: name, limit: JSONValue.maximumNameLength) ?? []
      return (content.count, mark(of: content.span))
    }
    let bytes = text.bytes.span
    let start = text.offset(of: name) + 1
    let end = bytes.firstQuotation(from: start, to: bytes.count)
    return (end - start, mark(of: bytes.extracting(start..<end)))
  }

  /// A mark that is not zero.
  @inline(__always)
  private static func mark(of name: Span<UInt8>) -> UInt8 {
    guard name.count > 0 else { return 1 }
    let ends = UInt32(name[0]) &* 5 &+ UInt32(name[name.count - 1]) &* 29
    let sum = UInt32(truncatingIfNeeded: name.count) &* 77 &+ ends
    return UInt8(truncatingIfNeeded: sum &+ UInt32(name[name.count / 2]) &* 11) | 1
  }
}

extension JSONText {
  /// The place of the first member with a name in the object at a place, or nil if there is none.
  package func place(of name: String, in object: Place) -> Place? {
    var name = name
    // The text's own bytes, which are only read while the closure runs; each access is checked.
    return name.withUTF8 { name in
      let name = unsafe name.span
      return members(at: object).first { member in
        isName(at: member.name, sameLength: name, isChecked: false)
      }?.value
    }
  }

  /// Whether the name at a place, which has as many bytes unless it has escapes, has these bytes.
  @inline(__always)
  fileprivate func isName(
    at place: Place, sameLength name: Span<UInt8>, isChecked: Bool = true
  ) -> Bool {
    guard !hasEscapes(at: place) else {
      let content = content(at: place, limit: name.count) ?? []
      return content.count == name.count
        && name.indices.allSatisfy { content[content.startIndex + $0] == name[$0] }
    }
    let start = offset(of: place) + 1
    if !isChecked {
      let end = bytes.span.firstQuotation(from: start, to: bytes.count)
      guard end - start == name.count else { return false }
    }
    let bytes = bytes.span.extracting(start..<(start + name.count))
    guard name.count >= 8 else {
      for index in name.indices where bytes[index] != name[index] { return false }
      return true
    }
    // Eight bytes at once, the last of which may be compared twice.
    var offset = 0
    while offset < name.count - 8 {
      if bytes.word(at: offset) != name.word(at: offset) { return false }
      offset += 8
    }
    return bytes.word(at: name.count - 8) == name.word(at: name.count - 8)
  }
}
