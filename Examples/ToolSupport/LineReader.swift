import Foundation

/// A reader of lines from a file or standard input, one at a time, as they arrive.
package struct LineReader {
  /// A line that is not empty, without its end, LF or CR LF.
  package struct Line {
    /// The number of the line, from 1; empty lines count.
    package var number: Int
    /// The bytes of the line, up to the maximum length.
    package var bytes: [UInt8]
    /// Whether the line is complete.
    package var isWhole: Bool
  }

  /// The maximum length in bytes; the rest of a longer line is dropped.
  package static let maximumLength = 1 << 20

  private let file: InputFile
  private var buffer = Data()
  private var number = 0

  /// Creates a reader of a file.
  package init(_ file: InputFile) {
    self.file = file
  }

  /// Returns the next line that is not empty, or nil at the end.
  package mutating func next() throws(InputFile.Failure) -> Line? {
    while let line = try nextLine() {
      if !line.bytes.isEmpty { return line }
    }
    return nil
  }

  /// Returns the next line that is not empty, or nil at the end.
  ///
  /// A JSON object or array counts as one line, however many lines it fills, and a byte-order mark
  /// at the beginning is left out.
  package mutating func nextValue() throws(InputFile.Failure) -> Line? {
    while var line = try next() {
      if line.number == 1 { line.bytes = Wrapping.withoutMark(line.bytes) }
      guard let first = line.bytes.first else { continue }
      if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        while !Self.isWholeJSON(line.bytes), line.bytes.count < Self.maximumLength,
          let more = try nextLine()
        {
          line.bytes += [UInt8(ascii: "\n")] + more.bytes
        }
      }
      return line
    }
    return nil
  }

  /// Returns whether a text is complete JSON.
  private static func isWholeJSON(_ text: [UInt8]) -> Bool {
    let last = text.last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard last == UInt8(ascii: "}") || last == UInt8(ascii: "]") else { return false }
    return Wrapping.json(text) != nil
  }

  private mutating func nextLine() throws(InputFile.Failure) -> Line? {
    var line = Data()
    var isWhole = true
    while true {
      let end = buffer.firstIndex(of: UInt8(ascii: "\n"))
      let part = buffer[..<(end ?? buffer.endIndex)]
      let room = Self.maximumLength - line.count
      isWhole = isWhole && part.count <= room
      line.append(part.prefix(room))
      if let end {
        buffer.removeSubrange(...end)
        return finished(line, isWhole: isWhole)
      }
      buffer = try file.part()
      if buffer.isEmpty { return line.isEmpty ? nil : finished(line, isWhole: isWhole) }
    }
  }

  private mutating func finished(_ line: Data, isWhole: Bool) -> Line {
    number += 1
    let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    return Line(number: number, bytes: Array(content), isWhole: isWhole)
  }
}
