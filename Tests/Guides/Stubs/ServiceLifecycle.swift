// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

public protocol Service: Sendable {
  func run() async throws
}

public func cancelWhenGracefulShutdown<T: Sendable>(
  _ operation: @Sendable @escaping () async throws -> T
) async rethrows -> T { try await operation() }
