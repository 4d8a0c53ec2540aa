// Types whose content has restrictions of its own (X.690 sections 8 and 11).

extension DERReader {
  /// Reads an INTEGER in its shortest form.
  package mutating func integer(_ bytes: [UInt8]) throws(Failure) -> DERValue {
    let value = try value(.integer, bytes)
    let content = value.content
    guard !content.isEmpty else { throw Failure() }
    if content.count > 1 {
      let first = bytes[content.lowerBound]
      let isPadded = first == 0 || first == 0xFF
      guard !isPadded || (first ^ bytes[content.lowerBound + 1]) & 0x80 != 0 else {
        throw Failure()
      }
    }
    return value
  }

  /// Reads an INTEGER that fits into an `Int`.
  @inlinable
  public mutating func number(_ bytes: [UInt8]) throws(Failure) -> Int {
    // Wrapping arithmetic: positions are below the size of an array.
    let start = index &+ 2
    guard end &- start >= 1, bytes[index] == DERTag.integer.rawValue else { throw Failure() }
    // Lengths of more than one byte are above 8.
    let count = Int(bytes[index &+ 1])
    guard count >= 1, count <= 8, count <= end &- start else { throw Failure() }
    var number = Int(Int8(bitPattern: bytes[start]))
    if count > 1 {
      // The first nine bits must differ, or the first byte would not be needed.
      guard number != Int(Int8(bitPattern: bytes[start &+ 1]) >> 7) else { throw Failure() }
      for place in (start &+ 1)..<(start &+ count) { number = number << 8 | Int(bytes[place]) }
    }
    index = start &+ count
    return number
  }

  /// Reads a BOOLEAN, or returns false if the next value is of another type or missing.
  package mutating func flag(_ bytes: [UInt8]) throws(Failure) -> Bool {
    guard let content = try optional(.boolean, bytes)?.content else { return false }
    guard content.count == 1 else { throw Failure() }
    switch bytes[content.lowerBound] {
    case 0: return false
    case 0xFF: return true
    default: throw Failure()
    }
  }

  /// Reads an OBJECT IDENTIFIER.
  package mutating func objectIdentifier(_ bytes: [UInt8]) throws(Failure) -> DERValue {
    let value = try value(.objectIdentifier, bytes)
    // Each number ends with a byte below 0x80 and does not begin with 0x80, which would be padding.
    var isAtStart = true
    for index in value.content {
      guard !isAtStart || bytes[index] != 0x80 else { throw Failure() }
      isAtStart = bytes[index] < 0x80
    }
    guard isAtStart, !value.content.isEmpty else { throw Failure() }
    return value
  }

  /// Reads a BIT STRING, whose unused bits must be zero.
  package mutating func bitString(
    _ bytes: [UInt8], tag: DERTag = .bitString
  ) throws(Failure) -> DERBitString {
    let content = try value(tag, bytes).content
    guard let first = content.first, bytes[first] <= 7 else { throw Failure() }
    let octets = content.dropFirst()
    let unused = bytes[first]
    if let last = octets.last {
      guard bytes[last] & (1 << unused - 1) == 0 else { throw Failure() }
    } else {
      guard unused == 0 else { throw Failure() }
    }
    return DERBitString(octets: octets, unusedBits: Int(unused))
  }
}

/// The range of the bits of a BIT STRING.
package struct DERBitString: Hashable, Sendable {
  package var octets: Range<Int>
  package var unusedBits: Int
}
