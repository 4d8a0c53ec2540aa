// swift-format-ignore-file
// declarations that stand in the place of another package; see Tests/Guides/run.

public struct SharedSecret: Sendable {}
public enum SHA256 {}
