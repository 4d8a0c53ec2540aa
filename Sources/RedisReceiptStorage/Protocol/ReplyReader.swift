internal import CStorekeeperHiredis

/// A parser of the replies on a connection, which bounds the memory that a reply takes.
///
/// After an error it must not be used any more.
@safe
final class ReplyReader {
  /// The maximum length of a reply in bytes: a receipt with its stamp.
  static let limit = RedisReceiptStore.maximumLength + (64 << 10)

  private let reader: UnsafeMutablePointer<redisReader>
  private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
  /// The number of bytes since the end of the last reply.
  private var byteCount = 0

  /// Creates a reader; throws `notConnected` for lack of memory.
  init() throws(RedisReceiptStore.Failure) {
    unsafe functions = .allocate(capacity: 1)
    unsafe functions.initialize(to: redisReplyObjectFunctions())
    guard let reader = unsafe chiredis_create_reader(functions) else {
      unsafe functions.deallocate()
      throw .notConnected
    }
    unsafe self.reader = reader
  }

  deinit {
    unsafe redisReaderFree(reader)
    unsafe functions.deallocate()
  }

  /// Whether there is a part of a reply, or a reply that nobody has asked for.
  var hasRest: Bool { byteCount > 0 }

  /// Takes bytes that have arrived.
  func feed(_ bytes: ArraySlice<UInt8>) throws(RedisReceiptStore.Failure) {
    byteCount += bytes.count
    guard byteCount <= Self.limit else { throw .malformedReply }
    let code = unsafe bytes.withUnsafeBytes { bytes in
      unsafe redisReaderFeed(
        reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard code == REDIS_OK else { throw .malformedReply }
  }

  /// Returns the next reply, or nil if it is not complete yet.
  func next() throws(RedisReceiptStore.Failure) -> RedisReply? {
    var reply: UnsafeMutableRawPointer?
    guard unsafe redisReaderGetReply(reader, &reply) == REDIS_OK else { throw .malformedReply }
    guard let reply = unsafe reply else { return nil }
    defer { unsafe freeReplyObject(reply) }
    byteCount = unsafe chiredis_unparsed(reader)
    return unsafe RedisReply(reply.assumingMemoryBound(to: redisReply.self).pointee)
  }
}

extension RedisReply {
  fileprivate init(_ reply: redisReply) {
    switch unsafe reply.type {
    case REDIS_REPLY_STATUS: self = .status
    case REDIS_REPLY_INTEGER: self = unsafe .integer(Int(reply.integer))
    case REDIS_REPLY_NIL: self = .none
    case REDIS_REPLY_STRING:
      self = unsafe .text(Array(UnsafeRawBufferPointer(start: reply.str, count: Int(reply.len))))
    case REDIS_REPLY_ERROR:
      self = unsafe .error(
        RedisErrorCode(text: UnsafeRawBufferPointer(start: reply.str, count: Int(reply.len))))
    case REDIS_REPLY_ARRAY:
      let elements = unsafe UnsafeBufferPointer(start: reply.element, count: Int(reply.elements))
      self = .array(
        unsafe elements.map { element in
          unsafe element.map { unsafe RedisReply($0.pointee) } ?? .other
        })
    default: self = .other
    }
  }
}
