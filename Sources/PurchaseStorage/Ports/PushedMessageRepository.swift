#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The messages that Google pushed, by their identifiers (table `google_push_messages`).
public protocol PushedMessageRepository {
  /// Records a message that was worked on.
  ///
  /// - Returns: False if it was recorded before; its date stays then.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for an identifier that cannot be stored, or another failure
  ///   of the store.
  func record(_ messageID: String, now: Date) async throws -> Bool

  /// Returns whether a message is recorded.
  func isRecorded(_ messageID: String) async throws -> Bool

  /// Removes messages that were recorded before a moment, oldest first.
  ///
  /// - Returns: The number of messages removed, at most `limit`.
  func remove(before: Date, limit: Int) async throws -> Int
}
