extension JSONText {
  /// The string at a place, or nil for another kind.
  ///
  /// After a number of bytes, and one more, the rest is left out: an overlong text is recognized without being
  /// read.
  package func string(at place: Place, limit: Int = .max) -> String? {
    guard kind(at: place) == .string else { return nil }
    return string(from: offset(of: place) + 1, hasEscapes: hasEscapes(at: place), limit: limit)
  }

  /// The string whose content begins at an offset.
  private func string(from start: Int, hasEscapes: Bool, limit: Int) -> String {
    if hasEscapes {
      // No escape is shorter than what it stands for.
      let room = end(ofStringFrom: start) - start
      guard room <= min(limit, 1 << 16) else {
        let content = unescaped(from: start, limit: limit)
        return content.span.text(0..<content.count)
      }
      return unsafe String(unsafeUninitializedCapacity: room) { content in
        unsafe unescape(from: start, into: content)
      }
    }
    return bytes.span.text(plainRange(from: start, limit: limit))
  }

  /// The content of the string at a place, where it is if it has no escapes, or nil for another kind.
  ///
  /// After a number of bytes, and one more, the rest is left out.
  package func content(at place: Place, limit: Int = .max) -> ArraySlice<UInt8>? {
    guard kind(at: place) == .string else { return nil }
    let start = offset(of: place) + 1
    guard !hasEscapes(at: place) else { return unescaped(from: start, limit: limit)[...] }
    return bytes[plainRange(from: start, limit: limit)]
  }

  /// The bytes of the string at a place as they are written, with all escapes, or nil for another kind and more than
  /// a number of bytes.
  package func spelling(at place: Place, limit: Int) -> ArraySlice<UInt8>? {
    guard kind(at: place) == .string else { return nil }
    let start = offset(of: place) + 1
    let end =
      hasEscapes(at: place)
      ? end(ofStringFrom: start) : plainRange(from: start, limit: limit).upperBound
    return end - start > limit ? nil : bytes[start..<end]
  }

  /// The place of the content of a string without escapes, up to the end of the character after the limit.
  private func plainRange(from start: Int, limit: Int) -> Range<Int> {
    let text = bytes.span
    let most = limit < text.count - start ? start + limit + 1 : text.count
    var end = text.firstQuotation(from: start, to: most)
    while text[end] & 0xC0 == 0x80 { end += 1 }
    return start..<end
  }

  /// Writes the content of a string with its escapes read, and returns its length; there has to be room for all
  /// bytes of the string.
  private func unescape(from start: Int, into content: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let text = bytes.span
    var (index, count) = (start, 0)
    while true {
      let end = text.firstQuotationOrEscape(from: index)
      let run = text.extracting(index..<end)
      unsafe run.withUnsafeBufferPointer { run in
        // Fewer bytes are written than were read, so there is room.
        let room = unsafe UnsafeMutableBufferPointer(rebasing: content[count...])
        _ = unsafe room.initialize(fromContentsOf: run)
      }
      count += end - index
      guard text[end] == UInt8(ascii: "\\") else { return count }
      index = end + 1
      for byte in escaped(at: &index) {
        unsafe content[count] = byte
        count += 1
      }
    }
  }

  /// The offset of the quotation mark at the end of a string.
  private func end(ofStringFrom start: Int) -> Int {
    let text = bytes.span
    var index = text.firstQuotationOrEscape(from: start)
    while text[index] != UInt8(ascii: "\"") {
      index = text.firstQuotationOrEscape(from: index + 2)
    }
    return index
  }

  /// The content of a string with its escapes read, up to the end of the character after the limit.
  private func unescaped(from start: Int, limit: Int) -> [UInt8] {
    let text = bytes.span
    var content: [UInt8] = []
    content.reserveCapacity(48)
    var index = start
    while true {
      var end = text.firstQuotationOrEscape(from: index)
      if end - index > limit - content.count {
        end = index + limit - content.count + 1
        while text[end] & 0xC0 == 0x80 { end += 1 }
        content.append(contentsOf: bytes[index..<end])
        return content
      }
      content.append(contentsOf: bytes[index..<end])
      guard text[end] == UInt8(ascii: "\\") else { return content }
      index = end + 1
      content.append(contentsOf: escaped(at: &index))
      if content.count > limit { return content }
    }
  }

  /// Reads what follows a reverse solidus.
  private func escaped(at index: inout Int) -> Unicode.UTF8.EncodedScalar {
    let letter = bytes[index]
    index += 1
    let scalar: Unicode.Scalar =
      switch letter {
      case UInt8(ascii: "b"): "\u{8}"
      case UInt8(ascii: "f"): "\u{C}"
      case UInt8(ascii: "n"): "\n"
      case UInt8(ascii: "r"): "\r"
      case UInt8(ascii: "t"): "\t"
      case UInt8(ascii: "u"): Unicode.Scalar(codePoint(&index)) ?? "\u{FFFD}"
      default: Unicode.Scalar(letter)
      }
    return UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
  }

  /// Reads the digits of one `\uXXXX`, or of the two that form a surrogate pair.
  private func codePoint(_ index: inout Int) -> UInt32 {
    let first = unit(at: index)
    index += 4
    guard (0xD800...0xDBFF).contains(first) else { return first }
    index += 6
    return 0x1_0000 + (first - 0xD800) << 10 + (unit(at: index - 4) & 0x3FF)
  }

  private func unit(at index: Int) -> UInt32 {
    bytes[index..<(index + 4)].reduce(0) { value, byte in value << 4 | UInt32(byte.hexDigit ?? 0) }
  }
}

// MARK: Strings without notes

extension JSONText {
  /// The strings of the array at a place, all of whose elements are strings.
  ///
  /// After a number of bytes, and one more, the rest of each is left out.
  package func strings(at place: Place, limit: Int) -> Strings {
    Strings(
      text: JSONText(bytes: bytes, notes: []), index: offset(of: place) + 1, limit: limit)
  }

  /// The strings of an array, which are found without the notes of their text, so that these can go.
  package struct Strings: Sequence, IteratorProtocol, Sendable {
    fileprivate let text: JSONText
    fileprivate var index: Int
    fileprivate let limit: Int

    /// Returns the next string.
    package mutating func next() -> String? {
      let text = text
      let bytes = text.bytes.span
      var start = index
      while bytes[start] != UInt8(ascii: "\"") {
        if bytes[start] == UInt8(ascii: "]") { return nil }
        start += 1
      }
      start += 1
      let end = text.end(ofStringFrom: start)
      let hasEscapes = bytes.firstQuotationOrEscape(from: start) < end
      index = end + 1
      return text.string(from: start, hasEscapes: hasEscapes, limit: limit)
    }
  }
}
