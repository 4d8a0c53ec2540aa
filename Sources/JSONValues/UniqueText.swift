/// A text that is compared byte by byte.
///
/// Texts of Swift are equal if they look the same, whatever their bytes. Identifiers are equal only if their
/// bytes are.
package struct UniqueText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: UniqueText, other: UniqueText) -> Bool {
    one.text.isSameText(as: other.text)
  }

  package static func < (one: UniqueText, other: UniqueText) -> Bool {
    var (one, other) = (one.text, other.text)
    return one.withUTF8 { one in
      other.withUTF8 { other in unsafe one.lexicographicallyPrecedes(other) }
    }
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
  }
}

extension String {
  /// Returns whether both texts are equal byte by byte, as identifiers must be.
  ///
  /// Swift's `==` also accepts canonically equivalent text, such as the Kelvin sign for K. Source: RFC 8259
  /// section 8.3; App Store rules, section 2.1.
  package func isSameText(as other: String) -> Bool {
    // Texts of Swift's own are compared where they are; copies of them would be counted.
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { one in
      unsafe other.utf8.withContiguousStorageIfAvailable { other in
        unsafe UnsafeRawBufferPointer(one).isSame(as: UnsafeRawBufferPointer(other))
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are equal; words first, because identifiers are long.
  fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    // Within the buffers: eight bytes at a time, as long as so many are left.
    var index = 0
    while index + 8 <= count {
      let words = unsafe (
        loadUnaligned(fromByteOffset: index, as: UInt64.self),
        other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      guard words.0 == words.1 else { return false }
      index += 8
    }
    while index < count {
      guard unsafe self[index] == other[index] else { return false }
      index += 1
    }
    return true
  }
}
