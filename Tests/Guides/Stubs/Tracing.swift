// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public struct SpanStatus: Sendable {
  public enum Code: Sendable { case ok, error }
  public init(code: Code) {}
}

public struct SpanAttributes: Sendable {
  public subscript(name: String) -> String? { get { nil } set {} }
}

public protocol Span: AnyObject, Sendable {
  var operationName: String { get set }
  var attributes: SpanAttributes { get set }
  func setStatus(_ status: SpanStatus)
  func end()
}

private final class NoSpan: Span {
  var operationName: String { get { "" } set {} }
  var attributes: SpanAttributes { get { SpanAttributes() } set {} }
  func setStatus(_ status: SpanStatus) {}
  func end() {}
}

public func startSpan(_ operationName: String) -> any Span { NoSpan() }
