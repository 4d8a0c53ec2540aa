extension LZFSEScratch {
  /// Copies the frequencies of a `bvx1` header.
  func copy(_ input: LZFSEInput, from offset: Int) {
    for index in 0..<LZFSETable.frequencies {
      unsafe frequencies[index] = input.integer(offset + 2 * index)
    }
  }

  /// Reads the frequencies of a `bvx2` header, and returns whether they fill their bytes exactly.
  ///
  /// Without bytes all of them are zero.
  func unpack(_ input: LZFSEInput, from start: Int, to end: Int) -> Bool {
    guard start < end else {
      unsafe frequencies.update(repeating: 0, count: LZFSETable.frequencies)
      return true
    }
    var offset = start
    var bits: UInt32 = 0
    var count = 0
    for index in 0..<LZFSETable.frequencies {
      while offset < end, count <= 24 {
        bits |= UInt32(input.byte(offset)) << UInt32(count)
        offset += 1
        count += 8
      }
      let code = Self.code(bits)
      guard code.length <= count else { return false }
      unsafe frequencies[index] = code.value
      bits >>= UInt32(code.length)
      count -= code.length
    }
    return offset == end && count < 8
  }

  /// Returns the first value of the prefix code, which begins with the lowest bit.
  private static func code(_ bits: UInt32) -> (value: UInt16, length: Int) {
    switch bits & 15 {
    case 0, 4, 8, 12: (0, 2)
    case 2, 6, 10, 14: (1, 2)
    case 1, 9: (2, 3)
    case 5, 13: (3, 3)
    case 3, 11: (4 + UInt16(bits >> 3 & 3), 5)
    case 7: (8 + UInt16(bits >> 4 & 0xF), 8)
    default: (24 + UInt16(bits >> 4 & 0x3FF), 14)
    }
  }
}
