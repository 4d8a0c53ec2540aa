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
