internal import CStorekeeperHiredis

/// A command as it is sent, with the form of its reply.
struct RedisCommand: Sendable {
  let bytes: [UInt8]
  let shape: RedisReplyShape

  /// Formats a command; throws `notConnected` for lack of memory, as nothing can be sent.
  init(
    _ arguments: [String], replying shape: RedisReplyShape
  ) throws(RedisReceiptStore.Failure) {
    guard let bytes = Self.format(arguments) else { throw .notConnected }
    self.bytes = bytes
    self.shape = shape
  }

  private static func format(_ arguments: [String]) -> [UInt8]? {
    let lengths = arguments.map(\.utf8.count)
    // All arguments in one array, so that one closure has all pointers.
    var text: [UInt8] = []
    text.reserveCapacity(lengths.reduce(1, +))
    for argument in arguments { text += argument.utf8 }
    // An empty array has no address.
    text.append(0)
    return unsafe text.withUnsafeBufferPointer { text in
      var start = unsafe UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
      var pointers: [UnsafePointer<CChar>?] = unsafe []
      for length in lengths {
        unsafe pointers.append(start)
        unsafe start = start?.advanced(by: length)
      }
      var command: UnsafeMutablePointer<CChar>?
      let count = unsafe chiredis_format(&command, CInt(lengths.count), &pointers, lengths)
      guard count >= 0, let command = unsafe command else { return nil }
      defer { unsafe redisFreeCommand(command) }
      return unsafe Array(UnsafeRawBufferPointer(start: command, count: Int(count)))
    }
  }
}
