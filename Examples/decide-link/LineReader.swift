import Foundation

/// Reads lines one at a time, as they come, and keeps no more of one than may be a proposal.
struct LineReader {
  /// A line that is not empty.
  struct Line {
    /// Counted from 1, empty ones too.
    var number: Int
    private var bytes: Data
    private var isWhole: Bool

    init(number: Int, bytes: Data, isWhole: Bool) {
      self.number = number
      self.bytes = bytes
      self.isWhole = isWhole
    }

    /// The line without its end.
    func content() throws(LineFailure) -> [UInt8] {
      guard isWhole else {
        throw LineFailure(error: "longer than \(LineReader.maximumLength) bytes")
      }
      return Array(bytes)
    }
  }

  /// The most bytes that a line may have.
  static let maximumLength = 1 << 20

  private let file: FileHandle
  private var buffer = Data()
  private var number = 0

  init(_ file: FileHandle) { self.file = file }

  /// The next line that is not empty, without its end, LF or CR LF; nil at the end.
  mutating func next() throws -> Line? {
    while let line = try nextLine() {
      number += 1
      let content = line.bytes.last == UInt8(ascii: "\r") ? line.bytes.dropLast() : line.bytes
      if !content.isEmpty { return Line(number: number, bytes: content, isWhole: line.isWhole) }
    }
    return nil
  }

  private mutating func nextLine() throws -> (bytes: Data, isWhole: Bool)? {
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
        return (line, isWhole)
      }
      buffer = try file.read(upToCount: 1 << 16) ?? Data()
      if buffer.isEmpty { return line.isEmpty ? nil : (line, isWhole) }
    }
  }
}
