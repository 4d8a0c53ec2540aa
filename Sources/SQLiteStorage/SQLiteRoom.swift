internal import PurchaseStorage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Whether a disk has room.
enum SQLiteRoom {
  /// Writes a quarter of a MiB into a file without a name beside another, which is gone at the end.
  static func check(beside path: String) throws(StorageFailure) {
    var name = Array("\(path)-room.XXXXXX".utf8CString)
    let file = unsafe mkstemp(&name)
    guard file >= 0 else { throw failure(errno) }
    defer { close(file) }
    unsafe unlink(name)
    let piece = [UInt8](repeating: 0x55, count: 1 << 16)
    for _ in 0..<4 {
      guard unsafe write(file, piece, piece.count) == piece.count else { throw failure(errno) }
    }
  }

  private static func failure(_ code: Int32) -> StorageFailure {
    .unavailable(mayHaveCommitted: false, detail: "no room beside the file: error \(code)")
  }
}
