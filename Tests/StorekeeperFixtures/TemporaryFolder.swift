public import Foundation

/// A folder of its own, which goes away with the last reference.
public final class TemporaryFolder: Sendable {
  public let url: URL

  /// Creates an empty folder, with a short path, as that of a socket has at most 107 bytes.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("test-\(UUID().uuidString.prefix(13))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, and makes the folders on the way to it.
  public func write(_ text: String, to name: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Makes a symbolic link.
  public func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }
}
