public import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A receipt store in a directory, with a file for each receipt, such as
/// `1000000322563042_Sandbox`.
///
/// A file holds the receipt alone, and its modification time is Apple's stamp. It is written under
/// another name, synced and then renamed, so that a reader sees one whole receipt or none; it is
/// readable by its owner alone. Files with the extension `.txt`, of older deployments, are read as
/// well.
///
/// Files are read and written on threads of the store, never on those of Swift's tasks: at most
/// four read and one writes, and readers do not wait for the writer. A call that exceeds the time
/// limit fails, be it for a disk that does not respond or a process that keeps the directory's
/// lock. The directory has to exist, and holds nothing but the files of such stores; several
/// processes may share it.
public struct FileReceiptStore: ReceiptStore {
  /// The reason why a file could not be used.
  @nonexhaustive
  public enum Failure: Error, PrintableFailure, Hashable, Sendable {
    /// The system refused, with this error number (`errno`).
    case system(code: Int32)
    /// A file is longer than ``FileReceiptStore/maximumLength``, or is not text.
    case notAReceipt
    /// The file system or the lock of the directory exceeded the time limit.
    case timeUp
  }

  /// The maximum length of a receipt, in bytes.
  public static let maximumLength = 8 << 20

  public var isOnDisk: Bool { true }

  let directory: String
  private let lock: DirectoryLock
  private let readers: BoundedLane
  private let writer: BoundedLane

  /// Creates a store in an existing directory, whose calls fail with ``Failure/timeUp`` after the time limit.
  public init(
    directory: String, timeLimit: Duration = .seconds(2),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.directory = directory
    lock = DirectoryLock(directory: directory)
    readers = BoundedLane(
      "FileReceiptStore.readers", width: 4, limit: timeLimit, clock: clock)
    writer = BoundedLane("FileReceiptStore.writer", width: 1, limit: timeLimit, clock: clock)
  }

  /// Returns the receipt, with the modification time as its stamp, or nil if there is none.
  ///
  /// - Throws: `StorageFailure.invalidValue` for an invalid identifier or environment, or ``Failure``.
  public func receipt(
    of originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt? {
    let path = try path(originalTransactionID, environment)
    let content = try await readers.run { _ throws(Failure) -> FileContent? in
      if let content = try FileContent(path: path) { return content }
      return try FileContent(path: path + ".txt")
    }
    return content.map {
      StoredReceipt(
        originalTransactionID: originalTransactionID, environment: environment,
        receipt: $0.text, asOf: $0.stamp)
    }
  }

  /// Stores the receipt unless a later one is there.
  ///
  /// - Throws: `StorageFailure.invalidValue` for an invalid value, ``Failure``.
  public func put(_ receipt: StoredReceipt) async throws {
    try receipt.checkTexts()
    let path = try path(receipt.originalTransactionID, receipt.environment)
    try await writer.run { [lock] errand throws(Failure) in
      try lock.holding(during: errand) { () throws(Failure) in
        if let stored = try FileContent.stamp(ofPath: path), stored > receipt.asOf { return }
        try FileContent(text: receipt.receipt, stamp: receipt.asOf).write(to: path)
      }
    }
  }

  /// Removes the receipt, under both names.
  ///
  /// - Throws: `StorageFailure.invalidValue` for an invalid identifier or environment, ``Failure``.
  public func remove(
    _ originalTransactionID: String, environment: AppStoreEnvironment
  ) async throws {
    let path = try path(originalTransactionID, environment)
    try await writer.run { [lock] errand throws(Failure) in
      try lock.holding(during: errand) { () throws(Failure) in
        for name in [path, path + ".txt"] { try FileContent.remove(name) }
      }
    }
  }

  /// Returns the path of a receipt: digits and one of two words, so that no input becomes a path.
  private func path(
    _ originalTransactionID: String, _ environment: AppStoreEnvironment
  ) throws(StorageFailure) -> String {
    try StoredReceipt.checkKey(originalTransactionID, environment)
    return "\(directory)/\(originalTransactionID)_\(environment.rawValue)"
  }
}
