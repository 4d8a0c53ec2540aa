import Glibc
import LockSupport

/// Standard output or standard error, a whole line at a time.
final class Output: Sendable {
  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  private let descriptor: Int32
  private let turn = Locked(())

  private init(descriptor: Int32) { self.descriptor = descriptor }

  func write(_ line: String) { write(Array((line + "\n").utf8)) }

  func write(_ line: LogLine) { write(line.bytes) }

  /// Nobody is left to be told if this fails.
  private func write(_ bytes: [UInt8]) {
    turn.withLock { _ in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { bytes in
          unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
