import CatalogFiles
import Foundation
import StorekeeperToolSupport

/// Reading and writing of whole files.
enum Files {
  /// The readers of a new file.
  enum Readers {
    /// Only its owner.
    case owner
    /// Everybody whom the process's mask lets.
    case everybody

    var mode: mode_t { self == .owner ? 0o600 : 0o666 }
  }

  /// Reads a file, or standard input for `-`; of one beyond the limit, so much that it is too large.
  ///
  /// Failures have the path, or the name instead.
  static func read(
    _ path: String, limit: Int, name: String? = nil
  ) throws(FileFailure) -> [UInt8] {
    do throws(InputFile.Failure) {
      return try InputFile(path).contents(limit: limit + 1)
    } catch {
      throw FileFailure("\(name ?? path): \(error.description)")
    }
  }

  /// Writes to standard output.
  static func print(_ bytes: [UInt8]) throws(FileFailure) {
    try put(bytes, into: .standardOutput, "standard output")
  }

  /// Writes a file that is complete at any time, or to a device or a pipe; `-` is standard output.
  static func write(_ bytes: [UInt8], to path: String, for readers: Readers) throws(FileFailure) {
    guard path != "-" else { return try print(bytes) }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw FileFailure(path, errno) }
      guard unsafe lstat(path, &status) != 0 else {
        throw FileFailure("\(path): this link leads to no file")
      }
      return try replace(path, by: bytes, for: readers)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: try replace(target(of: path), by: bytes, for: readers)
    case S_IFDIR: throw FileFailure("\(path): \(InputFile.Failure.directory.description)")
    default:
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileFailure(path, errno) }
      try put(bytes, into: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), path)
    }
  }

  /// Returns the path of an existing file without links, so that the file is replaced and not the link.
  private static func target(of path: String) throws(FileFailure) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw FileFailure(path, errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Writes a file beside the path, and renames it once it is complete.
  private static func replace(
    _ path: String, by bytes: [UInt8], for readers: Readers
  ) throws(FileFailure) {
    let draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
    let descriptor = unsafe open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, readers.mode)
    guard descriptor >= 0 else { throw FileFailure(path, errno) }
    do throws(FileFailure) {
      do throws(FileFailure) {
        try put(bytes, into: FileHandle(fileDescriptor: descriptor, closeOnDealloc: false), path)
        guard fsync(descriptor) == 0 else { throw FileFailure(path, errno) }
      } catch {
        close(descriptor)
        throw error
      }
      guard close(descriptor) == 0, unsafe rename(draft, path) == 0 else {
        throw FileFailure(path, errno)
      }
    } catch {
      unsafe unlink(draft)
      throw error
    }
  }

  private static func put(
    _ bytes: [UInt8], into file: FileHandle, _ name: String
  ) throws(FileFailure) {
    do {
      try file.write(contentsOf: Data(bytes))
    } catch {
      throw FileFailure("\(name): the file cannot be written")
    }
  }
}

/// A file that cannot be read or written, or that is no key.
struct FileFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }

  /// A failure that the system explains.
  init(_ path: String, _ code: Int32) {
    message = unsafe "\(path): \(String(cString: strerror(code)))"
  }
}
