extension JSONText {
  /// The places of an array's elements, in order.
  package struct Elements: Sequence, IteratorProtocol {
    private let text: JSONText
    private var upcoming: Int?

    init(text: JSONText, of array: Place?) {
      self.text = text
      upcoming = array.flatMap { text.firstPart(after: $0.offset) }
    }

    /// Returns the place of the next element.
    package mutating func next() -> Place? {
      guard let offset = upcoming else { return nil }
      upcoming = text.nextPart(after: text.end(from: offset))
      return Place(offset: offset)
    }
  }

  /// The members of an object, in the order of the text.
  package struct Members: Sequence, IteratorProtocol {
    private let text: JSONText
    private var upcoming: Int?

    init(text: JSONText, of object: Place?) {
      self.text = text
      upcoming = object.flatMap { text.firstPart(after: $0.offset) }
    }

    /// Returns the next member.
    package mutating func next() -> Member? {
      guard let name = upcoming else { return nil }
      let colon = JSONText.skipSpace(in: text.bytes, from: text.end(from: name))
      let value = JSONText.skipSpace(in: text.bytes, from: colon + 1)
      upcoming = text.nextPart(after: text.end(from: value))
      return Member(name: Place(offset: name), value: Place(offset: value))
    }
  }
}

// MARK: Skipping

extension JSONText {
  /// The start of the first part of the container that starts at an offset.
  func firstPart(after start: Int) -> Int? {
    let first = Self.skipSpace(in: bytes, from: start + 1)
    let byte = byte(at: first)
    return byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") ? nil : first
  }

  /// The start of the part after the comma that follows a part, or nil after the last one.
  func nextPart(after end: Int) -> Int? {
    let sign = Self.skipSpace(in: bytes, from: end)
    guard byte(at: sign) == UInt8(ascii: ",") else { return nil }
    return Self.skipSpace(in: bytes, from: sign + 1)
  }

  /// The offset after the value that starts at an offset.
  func end(from start: Int) -> Int {
    switch byte(at: start) {
    case UInt8(ascii: "\""): endOfString(from: start)
    case UInt8(ascii: "["), UInt8(ascii: "{"): endOfContainer(from: start)
    default: endOfLiteral(from: start)
    }
  }

  private func endOfContainer(from start: Int) -> Int {
    let text = bytes.span
    var index = start
    var depth = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        index = endOfString(from: index)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return index
  }

  private func endOfString(from start: Int) -> Int {
    let text = bytes.span
    var index = start + 1
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") { return index + 1 }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return text.count
  }

  func endOfLiteral(from start: Int) -> Int {
    var index = start
    while let byte = byte(at: index), byte.isOfJSONLiteral { index += 1 }
    return index
  }

  func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  static func skipSpace(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index].isJSONSpace { index += 1 }
    return index
  }
}
