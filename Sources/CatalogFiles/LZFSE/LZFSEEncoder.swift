/// A writer of LZFSE streams, which stores bytes as they are.
///
/// Every reader of LZFSE can read its blocks. They are a few bytes larger than what is in them.
///
/// Source: entitlement rules, section 3.1.
package enum LZFSEEncoder {
  /// Returns a stream of raw blocks that stands for these bytes.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(bytes.count + 12)
    var rest = bytes[...]
    while !rest.isEmpty {
      let block = rest.prefix(maximumBlock)
      stream += header(.raw) + littleEndian(UInt32(block.count)) + block
      rest = rest.dropFirst(block.count)
    }
    return stream + header(.end)
  }

  /// The maximum number of bytes in a block; the field for it has room for more.
  private static let maximumBlock = 1 << 30

  private static func header(_ kind: LZFSEBlock.Kind) -> [UInt8] { littleEndian(kind.rawValue) }

  private static func littleEndian(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
