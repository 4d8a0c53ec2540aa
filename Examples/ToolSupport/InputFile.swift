package import Foundation

/// An input file of a program, or standard input.
package struct InputFile {
  private let handle: FileHandle

  /// A reason why a file cannot be read.
  package enum Failure: String, Error {
    /// The file does not exist.
    case noSuchFile
    /// The path names a directory.
    case directory
    /// The system denies reading.
    case unreadable

    /// The reason in words.
    package var description: String {
      switch self {
      case .noSuchFile: "there is no such file"
      case .directory: "this is a directory, not a file"
      case .unreadable: "the file cannot be read"
      }
    }
  }

  /// Opens a file; `-` is standard input.
  package init(_ path: String) throws(Failure) {
    guard path != "-" else {
      handle = .standardInput
      return
    }
    var isDirectory: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw .noSuchFile
    }
    guard !isDirectory.boolValue else { throw .directory }
    guard let opened = FileHandle(forReadingAtPath: path) else { throw .unreadable }
    handle = opened
  }

  /// Returns the bytes that are available now, at least one; empty at the end.
  package func part() throws(Failure) -> Data {
    do {
      return try handle.read(upToCount: 1 << 16) ?? Data()
    } catch {
      throw .unreadable
    }
  }

  /// Returns the contents, or at least `limit` bytes of a larger file.
  package func contents(limit: Int) throws(Failure) -> [UInt8] {
    var contents = Data()
    while contents.count < limit {
      let part = try part()
      if part.isEmpty { break }
      contents.append(part)
    }
    return Array(contents)
  }
}
