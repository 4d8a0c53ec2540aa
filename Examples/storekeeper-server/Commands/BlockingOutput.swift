#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes bytes to a file as the call of the system does, which may write fewer.
func writeOnce(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// A file, or an output of the process, of whose bytes none may be dropped, however slow the reader is.
struct BlockingOutput {
  let descriptor: Int32

  static let standard = BlockingOutput(descriptor: STDOUT_FILENO)
  static let error = BlockingOutput(descriptor: STDERR_FILENO)

  /// Writes bytes, and waits until they are written.
  ///
  /// - Throws: ``Failure`` if nobody reads any more, or the disk is full.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe writeOnce(bytes, to: descriptor)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure() }
      rest = rest.dropFirst(count)
    }
  }

  struct Failure: Error {}
}
