public import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Receipts as files in one directory: `1000000322563042_Sandbox`.
///
/// A file has the receipt and nothing else, and its time of change is Apple's stamp. It is written
/// under another name, made durable and then renamed, so that a reader sees one whole receipt or
/// none; only its owner may read it. A file with the ending `.txt` is read as well, as older
/// deployments have it.
///
/// Files are read and written on threads of the store, never on those of Swift's tasks: at most four
/// read, and one writes, for which no reader waits. What takes longer than the time limit counts as a
/// failure, be it a disk that does not come back or a process that keeps the lock of the directory.
/// The directory has to exist, and belongs to stores of this kind alone; several processes may share
/// it.
///
/// Source: contract on linking, section 4.5.
public struct FileReceiptStore: ReceiptStore {
  /// Why a file could not be used.
  public enum Failure: Error, Hashable, Sendable {
    /// The system refused, with this number (`errno`).
    case system(code: Int32)
    /// A file is longer than ``FileReceiptStore/maximumLength``, or is no text.
    case notAReceipt
    /// The file system, or the lock of the directory, took longer than the time limit.
    case timeUp
  }

  /// The most bytes of a receipt.
  public static let maximumLength = 8 << 20

  let directory: String
  private let lock: DirectoryLock
  private let readers: BoundedLane
  private let writer: BoundedLane

  /// A store in an existing directory.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - timeLimit: How long a call may take; after that it fails with ``Failure/timeUp``.
  ///   - clock: What measures the time limit.
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

  /// The receipt, or nil if there is none.
  ///
  /// - Returns: The receipt with the time of change as its stamp.
  /// - Throws: `StorageFailure.invalidValue` for what can be no receipt's, ``Failure``.
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

  /// Keeps the receipt unless a later one is there.
  ///
  /// - Throws: `StorageFailure.invalidValue` for what can be no receipt's, ``Failure``.
  public func put(_ receipt: StoredReceipt) async throws {
    try StoredText.check("receipt", receipt.receipt, .receipt)
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
  /// - Throws: `StorageFailure.invalidValue` for what can be no receipt's, ``Failure``.
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

  /// Of digits and one of two words, so that nothing from outside becomes a path.
  private func path(
    _ originalTransactionID: String, _ environment: AppStoreEnvironment
  ) throws(StorageFailure) -> String {
    try StoredText.check("originalTransactionID", originalTransactionID, .transactionID)
    try StoredText.check(environment)
    return "\(directory)/\(originalTransactionID)_\(environment.rawValue)"
  }
}
