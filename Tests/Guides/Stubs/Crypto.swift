// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public struct SharedSecret: Sendable {}
public enum SHA256 {}
