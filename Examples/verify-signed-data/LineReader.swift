import Foundation

/// Reads lines from a file or standard input, one at a time, as they come.
struct LineReader {
  private let file: FileHandle
  private var buffer = Data()

  /// What is kept of a line at the most, in bytes; a token that long is refused anyway.
  private static let maximumLength = 1 << 20

  /// Opens a file, or standard input for nil.
  init(file path: String?) throws {
    guard let path else {
      file = .standardInput
      return
    }
    guard let opened = FileHandle(forReadingAtPath: path) else {
      throw Options.UsageFailure(message: "\(path) cannot be read")
    }
    file = opened
  }

  /// The next line that is not empty, without its end, LF or CR LF; nil at the end.
  mutating func next() throws -> String? {
    while let line = try nextLine() {
      let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if !content.isEmpty { return String(decoding: content, as: UTF8.self) }
    }
    return nil
  }

  private mutating func nextLine() throws -> Data? {
    var line = Data()
    while true {
      let end = buffer.firstIndex(of: UInt8(ascii: "\n"))
      let part = buffer[..<(end ?? buffer.endIndex)]
      line.append(part.prefix(Self.maximumLength - line.count))
      if let end {
        buffer.removeSubrange(...end)
        return line
      }
      buffer = try file.read(upToCount: 1 << 16) ?? Data()
      if buffer.isEmpty { return line.isEmpty ? nil : line }
    }
  }
}
