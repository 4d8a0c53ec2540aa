internal import PurchaseStorage
internal import SQLStorage

extension SQLiteStore {
  /// Tries whether a unit of work is committed to the disk, and whether the disk has room for others.
  ///
  /// The first page of the file is written as it is. As the log may have room where the disk has none, a
  /// quarter of a MiB is written beside it too, into a file without a name, which is gone at the end.
  ///
  /// - Throws: `StorageFailure`; `CancellationError` if cancelled before its turn.
  public func tryWriting() async throws {
    try await write { records in
      _ = try await records.connection.execute(.signAgain, [])
    }
    try await writer.checkRoom()
  }
}

extension SQLiteWriter {
  /// On the writer's thread, which may wait for a disk.
  fileprivate func checkRoom() throws { try SQLiteRoom.check(beside: path) }
}

extension SQLStatement {
  fileprivate static let signAgain = SQLStatement(
    "sign_again", "PRAGMA application_id = \(SQLiteFile.applicationID)")
}
