import Foundation
import StorekeeperToolSupport

/// Reads lines from a file or standard input, one at a time, as they come.
struct LineReader {
  /// A line with its number, from 1.
  struct Line {
    var number: Int
    var bytes: [UInt8]
  }

  private let file: InputFile
  private var buffer = Data()
  private var count = 0

  /// What is kept of a line at the most, in bytes; a token that long is refused anyway.
  private static let maximumLength = 1 << 20

  /// Reads from a file.
  init(_ file: InputFile) {
    self.file = file
  }

  /// The next line that is not empty, without its end, LF or CR LF, and JSON as one line, however many
  /// it takes; nil at the end.
  mutating func next() throws(InputFile.Failure) -> Line? {
    while let line = try nextLine() {
      let number = count
      var content = number == 1 ? Wrapping.withoutMark(line) : line
      guard !content.isEmpty else { continue }
      if content.first == UInt8(ascii: "{") || content.first == UInt8(ascii: "[") {
        while !Self.isWhole(content), content.count < Self.maximumLength,
          let more = try nextLine()
        {
          content += [UInt8(ascii: "\n")] + more
        }
      }
      return Line(number: number, bytes: content)
    }
    return nil
  }

  /// Whether a text is JSON from beginning to end.
  private static func isWhole(_ content: [UInt8]) -> Bool {
    let last = content.last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard last == UInt8(ascii: "}") || last == UInt8(ascii: "]") else { return false }
    return Wrapping.json(content) != nil
  }

  private mutating func nextLine() throws(InputFile.Failure) -> [UInt8]? {
    var line = Data()
    while true {
      let end = buffer.firstIndex(of: UInt8(ascii: "\n"))
      let part = buffer[..<(end ?? buffer.endIndex)]
      line.append(part.prefix(Self.maximumLength - line.count))
      if let end {
        buffer.removeSubrange(...end)
        return finished(line)
      }
      buffer = try file.part()
      if buffer.isEmpty { return line.isEmpty ? nil : finished(line) }
    }
  }

  private mutating func finished(_ line: Data) -> [UInt8] {
    count += 1
    return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}
