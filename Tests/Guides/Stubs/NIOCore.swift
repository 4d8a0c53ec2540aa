// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public struct ByteBuffer: Sendable {
  public var readableBytesView: [UInt8]
  public init<Bytes: Sequence<UInt8>>(bytes: Bytes) { readableBytesView = Array(bytes) }
}

public struct NIOTooManyBytesError: Error {}

public final class EventLoopFuture<Value: Sendable>: Sendable {
  private let value: Value
  public init(_ value: Value) { self.value = value }
  public func get() async throws -> Value { value }
}
