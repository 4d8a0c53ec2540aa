#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file descriptor with one owner, closed exactly once.
struct OpenFile: ~Copyable {
  let descriptor: Int32

  /// Opens a file for reading; nil if it is missing.
  init?(reading path: String) throws(FileReceiptStore.Failure) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 && errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw .system(code: errno) }
    self.descriptor = descriptor
  }

  /// Creates an empty file, or empties it, accessible to its owner alone.
  init(creating path: String) throws(FileReceiptStore.Failure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(code: errno) }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns the length in bytes and the modification time in milliseconds.
  func status() throws(FileReceiptStore.Failure) -> (size: Int, stamp: Date) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(code: errno) }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    let milliseconds = Double(time.tv_sec) * 1000 + Double(time.tv_nsec / 1_000_000)
    return (Int(status.st_size), Date(timeIntervalSince1970: milliseconds / 1000))
  }

  /// Reads `count` bytes, or fewer at the end of the file.
  func read(count: Int) throws(FileReceiptStore.Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var length = 0
    while length < count {
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe systemRead(
          descriptor, buffer.baseAddress.map { unsafe $0 + length }, count - length)
      }
      if result < 0 && errno == EINTR { continue }
      guard result >= 0 else { throw .system(code: errno) }
      if result == 0 { break }
      length += result
    }
    return Array(bytes[..<length])
  }

  func write(_ bytes: [UInt8]) throws(FileReceiptStore.Failure) {
    var length = 0
    while length < bytes.count {
      let result = unsafe bytes.withUnsafeBytes { buffer in
        unsafe systemWrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + length }, bytes.count - length)
      }
      if result < 0 && errno == EINTR { continue }
      guard result >= 0 else { throw .system(code: errno) }
      length += result
    }
  }

  /// Sets the modification time, in whole milliseconds.
  func setStamp(_ date: Date) throws(FileReceiptStore.Failure) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let seconds = (milliseconds / 1000).rounded(.down)
    let nanoseconds = (milliseconds - seconds * 1000) * 1_000_000
    guard let whole = Int(exactly: seconds), let rest = Int(exactly: nanoseconds) else {
      throw .system(code: EINVAL)
    }
    let time = timespec(tv_sec: whole, tv_nsec: rest)
    let times = [time, time]
    let result = unsafe times.withUnsafeBufferPointer {
      unsafe futimens(descriptor, $0.baseAddress)
    }
    guard result == 0 else { throw .system(code: errno) }
  }

  func makeDurable() throws(FileReceiptStore.Failure) {
    guard fsync(descriptor) == 0 else { throw .system(code: errno) }
  }
}

// The system's functions, whose names the methods above shadow.

private func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  guard let start = unsafe start else { return 0 }
  return unsafe read(descriptor, start, count)
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  guard let start = unsafe start else { return 0 }
  return unsafe write(descriptor, start, count)
}
