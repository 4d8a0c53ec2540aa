/// The padding of RFC 5652 section 6.3 for blocks of 16 bytes: n bytes with the value n, 1 to 16.
package enum BlockPadding {
  /// Returns the length of the padding in the last 16 bytes, or nil if it is wrong.
  ///
  /// The time does not depend on the bytes.
  package static func length(of block: ArraySlice<UInt8>) -> Int? {
    precondition(block.count == 16)
    let last = UInt32(block[block.endIndex - 1])
    // Each mask is all ones where its condition holds: a difference below zero has its top bits set.
    var wrong = ~isLess(0, last) | isLess(16, last)
    for place in 1...16 {
      let byte = UInt32(block[block.endIndex - place])
      wrong |= isLess(UInt32(place) &- 1, last) & (byte ^ last)
    }
    return wrong == 0 ? Int(last) : nil
  }

  /// Returns all ones if one small number is less than another, else zero.
  private static func isLess(_ one: UInt32, _ other: UInt32) -> UInt32 {
    0 &- ((one &- other) >> 31)
  }
}
