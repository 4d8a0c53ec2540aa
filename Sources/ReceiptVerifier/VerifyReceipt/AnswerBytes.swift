/// The very bytes of an answer, kept out of logs.
public struct AnswerBytes: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The bytes.
  public let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes, never the bytes.
  public var description: String { "\(bytes.count) bytes" }
  /// Empty, so that `dump` shows no data of a customer.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
