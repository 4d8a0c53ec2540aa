/// The members of an object in a text, which are found by name and taken one after the other.
///
/// A name is found by its bytes: nothing is copied or hashed. The first of duplicates is found, and each name is
/// taken at most once.
package struct JSONObjectReader: Sendable {
  package let text: JSONText
  private let members: [Member]
  /// A bit for each member that was not taken, the first in the lowest one.
  private var untaken: UInt64

  private struct Member {
    /// The length of the name and three of its bytes.
    let mark: UInt32
    /// The index of the name's note.
    let note: UInt32
  }

  /// A member that was found.
  package struct Found {
    fileprivate let number: Int
    package let value: JSONText.Place
  }

  /// The maximum number of members.
  private static let maximumCount = UInt64.bitWidth

  /// Creates a reader of the object at a place, or returns nil for another kind, and for more than 64 members.
  package init?(_ text: JSONText, at place: JSONText.Place) {
    guard text.kind(at: place) == .object else { return nil }
    var members: [Member] = []
    var note = place.note + 2
    let end = text.end(of: place)
    members.reserveCapacity(min((end - note) / 2, Self.maximumCount))
    while note < end {
      guard members.count < Self.maximumCount else { return nil }
      let name = JSONText.Place(note: note)
      members.append(
        Member(mark: Self.mark(of: name, in: text), note: UInt32(truncatingIfNeeded: note)))
      note = text.end(of: JSONText.Place(note: note + 1))
    }
    self.text = text
    self.members = members
    untaken = members.isEmpty ? 0 : .max >> UInt64(Self.maximumCount - members.count)
  }

  /// The first member with a name that was not taken.
  package func first(_ name: String) -> Found? {
    var name = name
    // A text's own bytes, which are only read while the closure runs; each access is checked.
    return name.withUTF8 { name in unsafe find(name.span) }
  }

  private func find(_ name: Span<UInt8>) -> Found? {
    let mark = Self.mark(count: name.count) { name[$0] }
    let members = members.span
    var candidates = untaken
    while candidates != 0 {
      let number = candidates.trailingZeroBitCount
      candidates &= candidates - 1
      guard members[number].mark == mark else { continue }
      let note = Int(members[number].note)
      if text.isName(at: JSONText.Place(note: note), equalTo: name) {
        return Found(number: number, value: JSONText.Place(note: note + 1))
      }
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
    let limit = JSONValue.maximumNameLength
    for (number, member) in members.enumerated() where isUntaken(number) {
      let place = JSONText.Place(note: Int(member.note))
      guard let name = text.string(at: place, limit: limit), name.utf8.count <= limit,
        !isDuplicate(name, number)
      else { continue }
      let value = text.value(at: JSONText.Place(note: place.note + 1))
      if case .null = value { hasNull = true }
      if let first = rest.updateValue(value, forKey: name) { rest[name] = first }
    }
    return hasNull ? rest.filter { $0.value != .null } : rest
  }

  private func isUntaken(_ number: Int) -> Bool { untaken & (1 << UInt64(number)) != 0 }

  /// Whether a member with the same name was taken.
  private func isDuplicate(_ name: String, _ number: Int) -> Bool {
    let mark = members[number].mark
    for other in members.indices where members[other].mark == mark && !isUntaken(other) {
      if text.string(at: JSONText.Place(note: Int(members[other].note))) == name { return true }
    }
    return false
  }
}

// MARK: Names

extension JSONObjectReader {
  /// The mark of a name, by which most others are told from it.
  private static func mark(of name: JSONText.Place, in text: JSONText) -> UInt32 {
    if text.hasEscapes(at: name) {
      let content = Array((text.string(at: name) ?? "").utf8)
      return mark(count: content.count) { content[$0] }
    }
    let range = text.plainRange(at: name)
    return mark(count: range.count) { text.bytes[range.lowerBound + $0] }
  }

  @inline(__always)
  private static func mark(count: Int, _ byte: (Int) -> UInt8) -> UInt32 {
    guard count > 0 else { return 0 }
    let ends = UInt32(byte(0)) << 16 | UInt32(byte(count - 1)) << 8
    return UInt32(truncatingIfNeeded: count) << 24 | ends | UInt32(byte(count / 2))
  }
}

extension JSONText {
  /// The place of the first member with a name in the object at a place, or nil if there is none.
  package func place(of name: String, in object: Place) -> Place? {
    var name = name
    // The text's own bytes, which are only read while the closure runs; each access is checked.
    return name.withUTF8 { name in
      let name = unsafe name.span
      return members(at: object).first { isName(at: $0.name, equalTo: name) }?.value
    }
  }

  /// Whether the name at a place has these bytes.
  fileprivate func isName(at place: Place, equalTo name: Span<UInt8>) -> Bool {
    guard !hasEscapes(at: place) else {
      let content = Array((string(at: place) ?? "").utf8)
      return content.count == name.count && content.indices.allSatisfy { content[$0] == name[$0] }
    }
    let range = plainRange(at: place)
    guard range.count == name.count else { return false }
    let bytes = bytes.span.extracting(range)
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
