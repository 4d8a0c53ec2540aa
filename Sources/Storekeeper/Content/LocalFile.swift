#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open file below a directory.
///
/// Links are followed as long as they stay below the directory. The path without links is opened step by step without
/// following any, so that a link made meanwhile is refused. Source: entitlement rules, section 8.
struct LocalFile: ~Copyable {
  private let descriptor: CInt

  /// Opens a file; the names lead to it from the directory, which may be a link.
  init(_ names: [String], below directory: String) throws(ContentFailure) {
    guard let root = Self.realPath(directory) else { throw .outsideContentDirectory }
    guard let path = Self.realPath(([root] + names).joined(separator: "/")) else {
      throw .transport
    }
    let start = root == "/" ? root : root + "/"
    guard path.utf8.starts(with: start.utf8) else { throw .outsideContentDirectory }
    let steps = path.utf8.dropFirst(start.utf8.count).split(separator: UInt8(ascii: "/"))
    guard let name = steps.last else { throw .transport }
    var folder = try Self.opened(root, at: AT_FDCWD, O_DIRECTORY)
    defer { close(folder) }
    for step in steps.dropLast() {
      let inner = try Self.opened(String(Substring(step)), at: folder, O_DIRECTORY)
      close(folder)
      folder = inner
    }
    // Without waiting, as the other end of a pipe may never be opened.
    descriptor = try Self.opened(String(Substring(name)), at: folder, O_NONBLOCK)
  }

  deinit {
    close(descriptor)
  }

  /// Reads the whole file, which must be a regular one.
  borrowing func bytes(limit: Int) throws(ContentFailure) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .transport
    }
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .transport }
      if count == 0 { return bytes }
      // The file may have grown.
      guard count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
      bytes += piece[..<count]
    }
  }

  /// The absolute path without links, or nil if there is no such file.
  private static func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func opened(
    _ name: String, at folder: CInt, _ flags: CInt
  ) throws(ContentFailure) -> CInt {
    let descriptor = unsafe openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags)
    guard descriptor >= 0 else { throw errno == ELOOP ? .outsideContentDirectory : .transport }
    return descriptor
  }
}
