// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public struct Logger: Sendable {
  public init(label: String) {}
  public func error(
    _ message: @autoclosure () -> String, metadata: @autoclosure () -> [String: String]? = nil
  ) {}
}
