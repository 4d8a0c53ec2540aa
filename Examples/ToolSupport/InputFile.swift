package import Foundation

/// A file that a program is to read, or standard input.
package struct InputFile {
  private let handle: FileHandle

  /// Why a file gives nothing.
  package enum Failure: String, Error {
    /// There is none of that name.
    case noSuchFile
    /// It is a folder.
    case directory
    /// The system does not let it be read.
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

  /// Some bytes, as many as there are at once; empty at the end.
  package func part() throws(Failure) -> Data {
    do {
      return try handle.read(upToCount: 1 << 16) ?? Data()
    } catch {
      throw .unreadable
    }
  }

  /// All that it holds, or the beginning of more than a limit.
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
