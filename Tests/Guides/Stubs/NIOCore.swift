// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public struct ByteBuffer: Sendable {
  public var readableBytesView: [UInt8]
  public init<Bytes: Sequence<UInt8>>(bytes: Bytes) { readableBytesView = Array(bytes) }
}

public struct NIOTooManyBytesError: Error {}

public struct TimeAmount: Sendable {
  public static func seconds(_ amount: Int64) -> TimeAmount { TimeAmount() }
}

public struct Scheduled<T: Sendable>: Sendable {
  public func cancel() {}
}

public struct EventLoopPromise<Value: Sendable>: Sendable {
  public var futureResult: EventLoopFuture<Value> { fatalError() }
  public func fail(_ error: any Error) {}
}

public protocol EventLoop: AnyObject, Sendable {}

extension EventLoop {
  public func makePromise<T: Sendable>(of type: T.Type = T.self) -> EventLoopPromise<T> { EventLoopPromise() }
  @discardableResult
  public func scheduleTask<T: Sendable>(
    in amount: TimeAmount, _ task: @escaping @Sendable () throws -> T
  ) -> Scheduled<T> { Scheduled() }
}

public final class EventLoopFuture<Value: Sendable>: Sendable {
  private let value: Value
  public init(_ value: Value) { self.value = value }
  public func get() async throws -> Value { value }
  public func cascade(to promise: EventLoopPromise<Value>?) {}
}
