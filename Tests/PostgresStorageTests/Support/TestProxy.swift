import Foundation
import StorekeeperLocks

/// A port of this machine in front of a server, at which connections can be ended or held up.
final class TestProxy: Sendable {
  /// The fate of what the server sends.
  enum Fate: Hashable, Sendable {
    case passed
    /// The connection ends instead of the next answer to a commit.
    case endedAtCommit
  }

  private let listener: LocalListener
  private let path: String
  private let fate = Locked(Fate.passed)
  private let connections = Tally()

  var port: UInt16 { listener.port }
  /// The number of connections that were taken.
  var count: Int { connections.count }

  /// Creates a proxy for the server with the socket in a folder.
  init(to folder: String) throws {
    listener = try LocalListener()
    path = "\(folder)/.s.PGSQL.5432"
    Thread.detachNewThread { [self] in takeConnections() }
  }

  /// Takes no more connections.
  func end() { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

  func set(_ fate: Fate) { self.fate.withLock { $0 = fate } }

  private func takeConnections() {
    while true {
      let near = accept(listener.descriptor, nil, nil)
      guard near >= 0 else { break }
      connections.add()
      let far = connected()
      Thread.detachNewThread { [self] in forward(from: near, to: far) { _ in true } }
      Thread.detachNewThread { [self] in
        forward(from: far, to: near) { answers in
          fate.withLock { fate in
            guard fate == .endedAtCommit, answers.contains(Self.commitEnd) else { return true }
            fate = .passed
            return false
          }
        }
      }
    }
    listener.end()
  }

  /// The tag of the message CommandComplete.
  private static let commitEnd = Data("COMMIT\0".utf8)

  private func connected() -> Int32 {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    _ = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, size)
      }
    }
    return descriptor
  }

  /// Forwards until one side ends, or a part is not let through.
  private func forward(from source: Int32, to sink: Int32, _ passes: (Data) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(source, &buffer, buffer.count)
      guard count > 0, passes(Data(buffer[..<count])) else { break }
      var sent = 0
      while sent < count {
        let written = unsafe buffer[sent..<count].withUnsafeBytes { bytes in
          unsafe send(sink, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { break }
        sent += written
      }
      guard sent == count else { break }
    }
    // The descriptors are left to the end of the tests, as the other direction still uses them.
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(sink, Int32(SHUT_RDWR))
  }
}

extension Data {
  fileprivate func contains(_ part: Data) -> Bool { range(of: part) != nil }
}
