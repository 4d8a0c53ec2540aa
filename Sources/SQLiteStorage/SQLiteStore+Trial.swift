internal import PurchaseStorage
internal import SQLStorage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SQLiteStore {
  /// Tests whether a commit reaches the disk, and whether the disk has room for more.
  ///
  /// It rewrites the first page of the file unchanged. As the write-ahead log may have room when
  /// the disk has none, it also writes a quarter of a MiB to an unnamed temporary file beside it.
  ///
  /// - Throws: `StorageFailure`; `CancellationError` if the task is cancelled while it waits.
  public func tryWriting() async throws {
    try await writeRecords { records in
      _ = try await records.connection.execute(.signAgain, [])
    }
    try await writer.checkRoom()
  }
}

extension SQLiteWriter {
  /// Runs on the writer's thread, which may block.
  fileprivate func checkRoom() throws { try DiskRoom.check(beside: path) }
}

extension SQLStatement {
  fileprivate static let signAgain = SQLStatement(
    "sign_again", "PRAGMA application_id = \(SQLiteFile.applicationID)")
}

/// A test for free space on a disk.
private enum DiskRoom {
  /// Writes a quarter of a MiB to an unnamed temporary file beside another.
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
