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
  /// A negative limit of the output, in bytes, counts as zero.
  package init(limit: Int = usualLimit) { self.limit = max(0, limit) }

  /// Returns the bytes that a stream stands for.
  ///
  /// A stream of no bytes is valid here.
  ///
  /// A stream is blocks with an end mark, and nothing behind it.
  package func decoded(_ stream: [UInt8]) throws(LZFSEFailure) -> [UInt8] {
    try decoded(stream[...])
  }

  /// Returns the bytes that a stream stands for.
  ///
  /// A stream is blocks with an end mark, and nothing behind it. Offsets in failures count from
  /// its start.
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

/// The reason why bytes are no LZFSE stream of an allowed size.
///
/// Source: entitlement rules, section 3.1.
package enum LZFSEFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes break the format.
  ///
  /// - Parameters:
  ///   - reason: The broken rule.
  ///   - offset: The place in the compressed bytes. It is that of the fault itself for magic numbers, header
  ///     fields and opcodes, and the start of the literals or of the matches for faults of these.
  case invalid(reason: Reason, offset: Int)
  /// The stream would give more bytes than allowed.
  case outputTooLarge(limit: Int)

  package typealias Reason = LZFSEFault

  /// The reason and the place, or the limit.
  package var description: String {
    switch self {
    case .invalid(let reason, let offset): "LZFSE: \(reason.rawValue) at byte \(offset)"
    case .outputTooLarge(let limit): "LZFSE: more than \(limit) bytes of output"
    }
  }
}

/// A rule that compressed bytes break, of the format LZFSE.
@nonexhaustive
public enum LZFSEFault: String, Hashable, Sendable, CaseIterable {
  /// The stream, or a part of a block, ends before it is complete.
  case truncated
  /// A block begins with none of the five magic numbers.
  case unknownMagic
  /// There are bytes after the end of the stream.
  case trailingBytes
  /// A field of a header has a forbidden value, or contradicts another one.
  case badHeader
  /// The frequencies add up to more than there are states, or their prefix code is wrong.
  case badTable
  /// A state is outside of its table, or the unused bits before a bit stream are not zero.
  case badState
  /// An LZVN opcode is undefined, or the last one is not where the payload ends.
  case badOpcode
  /// A match begins nowhere, because its distance is zero or leads to before the start of the output.
  case badDistance
  /// A block gives more or fewer bytes than its header says.
  case wrongRawSize
}
