// swift-format-ignore-file
// declarations that stand in the place of another package; see Tests/Guides/run.

public struct Logger: Sendable {
  public init(label: String) {}
  public func error(_ message: @autoclosure () -> String) {}
}
