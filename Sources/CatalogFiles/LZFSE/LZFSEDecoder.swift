/// A decoder of LZFSE streams, with every type of block.
///
/// Time and memory are bounded whatever the bytes are: memory for output is taken once, at most ``limit`` bytes,
/// and work grows with the compressed bytes and the output only.
///
/// ```swift
/// let list = try LZFSEDecoder().decoded(compressed)
/// ```
///
/// Source: entitlement rules, section 3.1.
package struct LZFSEDecoder: Hashable, Sendable {
  /// The maximum number of bytes of output.
  package let limit: Int

  /// The usual limit, 8 MiB.
  package static let usualLimit = 8 << 20

  /// Creates a decoder.
  ///
  /// - Parameter limit: The maximum number of bytes of output; a negative limit counts as zero.
  package init(limit: Int = usualLimit) { self.limit = max(0, limit) }

  /// Returns the bytes that a stream stands for.
  ///
  /// A stream of no bytes is valid here.
  ///
  /// - Parameter stream: Blocks with an end mark, and nothing behind it.
  /// - Returns: All bytes of the blocks.
  /// - Throws: ``LZFSEFailure`` for the first fault.
  package func decoded(_ stream: [UInt8]) throws(LZFSEFailure) -> [UInt8] {
    try decoded(stream[...])
  }

  /// Returns the bytes that a stream stands for.
  ///
  /// - Parameter stream: Blocks with an end mark, and nothing behind it. Offsets in failures count from its start.
  /// - Returns: All bytes of the blocks.
  /// - Throws: ``LZFSEFailure`` for the first fault.
  package func decoded(_ stream: ArraySlice<UInt8>) throws(LZFSEFailure) -> [UInt8] {
    var failure: LZFSEFailure?
    let output = unsafe stream.withUnsafeBytes { bytes in
      guard let input = unsafe LZFSEInput(bytes) else {
        failure = .invalid(reason: .truncated, offset: 0)
        return [UInt8]()
      }
      // One allocation for everything that the headers claim; what they claim falsely is found in decoding.
      let capacity = claimedSize(input)
      return unsafe [UInt8](unsafeUninitializedCapacity: capacity + LZFSEOutput.slack) {
        memory, count in
        var output = unsafe LZFSEOutput(memory, capacity: capacity)
        do throws(LZFSEFailure) {
          try decode(input, to: &output)
          count = output.count
        } catch let found {
          failure = found
        }
      }
    }
    if let failure { throw failure }
    return output
  }

  /// Returns the sum of the raw sizes in the headers up to the first fault, at most the limit.
  private func claimedSize(_ input: LZFSEInput) -> Int {
    var size = 0
    var offset = 0
    while size < limit, let block = try? LZFSEBlock(input, at: offset), block.kind != .end {
      size += block.rawSize
      offset = block.end
    }
    return min(size, limit)
  }

  private func decode(_ input: LZFSEInput, to output: inout LZFSEOutput) throws(LZFSEFailure) {
    var offset = 0
    var scratch: LZFSEScratch?
    while true {
      let block = try LZFSEBlock(input, at: offset, room: limit - output.count, limit: limit)
      switch block.kind {
      case .end:
        guard block.end == input.count else {
          throw .invalid(reason: .trailingBytes, offset: block.end)
        }
        return
      case .raw:
        output.append(input, from: block.payload, count: block.rawSize)
      case .lzvn:
        var decoder = LZVNBlockDecoder(block, input)
        try decoder.decode(to: &output)
      case .plainTables, .packedTables:
        let tables = scratch ?? LZFSEScratch()
        scratch = tables
        let header = try LZFSEEntropyHeader(block, input, frequencies: tables)
        try LZFSEBlockDecoder(block, header, input, tables).decode(to: &output)
      }
      offset = block.end
    }
  }
}
