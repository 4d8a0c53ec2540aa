import CatalogFiles
import Foundation
import StorekeeperToolSupport

/// Reading and writing of whole files.
enum Files {
  /// The maximum size of sealed files: a list that compression made larger, and what surrounds it.
  static let sealedLimit = SealedCatalog.maximumSize + 65_536

  /// The readers of a new file.
  enum Readers {
    /// Only its owner.
    case owner
    /// Everybody whom the process's mask lets.
    case everybody

    var mode: mode_t { self == .owner ? 0o600 : 0o666 }
  }

  /// Reads a file, or standard input for `-`; of one beyond the limit, so much that it is too large.
  static func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    do throws(InputFile.Failure) {
      return try InputFile(path).contents(limit: limit + 1)
    } catch {
      throw FileFailure("\(path): \(error.description)")
    }
  }

  /// Reads a sealed file, which is too large if it is larger than any list in it can make it.
  static func sealed(_ path: String) throws -> [UInt8] {
    let file = try read(path, limit: sealedLimit)
    guard file.count <= sealedLimit else { throw SealedCatalogFailure.outputTooLarge }
    return file
  }

  /// Writes a file beside the path, and renames it once it is complete; `-` is standard output.
  static func write(
    _ bytes: [UInt8], to path: String, for readers: Readers
  ) throws(FileFailure) {
    guard path != "-" else { return FileHandle.standardOutput.write(Data(bytes)) }
    let draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
    let descriptor = unsafe open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, readers.mode)
    guard descriptor >= 0 else { throw FileFailure(path, errno) }
    do {
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
      do {
        try file.write(contentsOf: Data(bytes))
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
      throw error as? FileFailure ?? FileFailure("\(path): the file cannot be written")
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
