// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public enum LoggingSystem {}

public struct Logger: Sendable {
  public enum Level: Sendable { case trace, debug, info, notice, warning, error, critical }
  public init(label: String) {}
  public func info(_ message: @autoclosure () -> String) {}
  public func warning(_ message: @autoclosure () -> String) {}
  public func report(error: any Error) {}
  public func error(
    _ message: @autoclosure () -> String, metadata: @autoclosure () -> [String: String]? = nil
  ) {}
}
