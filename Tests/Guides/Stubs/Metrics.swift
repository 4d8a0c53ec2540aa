// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public struct Timer: Sendable {
  public init(label: String, dimensions: [(String, String)]) {}
  public func recordSeconds(_ duration: Double) {}
}
