/// A reply of a server (RESP2), without the text of a status or an error.
enum RedisReply: Hashable, Sendable {
  case status
  case integer(Int)
  case text([UInt8])
  /// The absence of a value.
  case none
  case array([RedisReply])
  case error(RedisErrorCode)
  /// A reply of another type, such as those of RESP3.
  case other
}

/// The form that a reply to a command has, unless it is an error.
enum RedisReplyShape: Sendable {
  case status
  case integer
  /// A number of texts, each of which may be absent.
  case texts(Int)

  /// Whether a reply has this form.
  func fits(_ reply: RedisReply) -> Bool {
    switch (self, reply) {
    case (.status, .status), (.integer, .integer): true
    case (.texts(let count), .array(let elements)):
      elements.count == count
        && elements.allSatisfy {
          switch $0 {
          case .text, .none: true
          case .status, .integer, .array, .error, .other: false
          }
        }
    default: false
    }
  }
}
