/// The place of a block, as the first bytes of its header say.
///
/// Source: entitlement rules, section 3.1.
struct LZFSEBlock {
  let kind: Kind
  /// The offset of the magic number.
  let start: Int
  /// The offset of the byte after the header.
  let payload: Int
  /// The offset of the byte after the payload.
  let end: Int
  /// The number of bytes that the block has to give.
  let rawSize: Int

  /// A type of block, by its magic number in little-endian order.
  enum Kind: UInt32 {
    /// `bvx$`
    case end = 0x2478_7662
    /// `bvx-`
    case raw = 0x2D78_7662
    /// `bvxn`
    case lzvn = 0x6E78_7662
    /// `bvx1`
    case plainTables = 0x3178_7662
    /// `bvx2`
    case packedTables = 0x3278_7662

    /// The number of bytes of the header, for `bvx2` without its tables.
    var headerSize: Int {
      switch self {
      case .end: 4
      case .raw: 8
      case .lzvn: 12
      case .plainTables: 772
      case .packedTables: 32
      }
    }
  }

  /// Reads the sizes of a block, which lies within the input and gives at most `room` bytes.
  init(
    _ input: LZFSEInput, at offset: Int, room: Int = .max, limit: Int = .max
  ) throws(LZFSEFailure) {
    let left = input.count - offset
    guard left >= 4 else { throw .invalid(reason: .truncated, offset: input.count) }
    guard let kind = Kind(rawValue: input.integer(offset)) else {
      throw .invalid(reason: .unknownMagic, offset: offset)
    }
    var header = kind.headerSize
    guard left >= header else { throw .invalid(reason: .truncated, offset: input.count) }
    let rawSize = kind == .end ? 0 : Self.size(input, offset + 4)
    guard rawSize <= room else { throw .outputTooLarge(limit: limit) }
    let payload: Int
    switch kind {
    case .end: payload = 0
    case .raw: payload = rawSize
    case .lzvn, .plainTables: payload = Self.size(input, offset + 8)
    case .packedTables:
      let words = LZFSEPackedWords(input, offset + 8)
      guard words.headerSize >= header else {
        throw .invalid(reason: .badHeader, offset: offset + 24)
      }
      header = words.headerSize
      payload = words.literalPayload + words.matchPayload
    }
    guard left >= header + payload else { throw .invalid(reason: .truncated, offset: input.count) }
    self.kind = kind
    self.rawSize = rawSize
    start = offset
    self.payload = offset + header
    end = offset + header + payload
  }

  private static func size(_ input: LZFSEInput, _ offset: Int) -> Int {
    Int(input.integer(offset) as UInt32)
  }
}
