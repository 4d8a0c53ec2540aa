public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An authentic notification that could not be decoded or recorded: kept as received, until a later version
/// can.
///
/// Source: `Documentation/rules/app-store-rules.md`.
public struct KeptNotification: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The key that identifies the notification when it arrives again: at most 255 bytes.
  public var key: String
  /// The environment, if it could be read.
  public var environment: AppStoreEnvironment?
  /// The compact JWS, 1 byte to 256 KiB.
  public var signedPayload: String
  /// The path of the field that could not be decoded, or its name if no store can hold it; empty for the whole
  /// payload.
  public var path: String
  public var receivedDate: Date

  /// Creates a notification to keep.
  public init(
    key: String, environment: AppStoreEnvironment?, signedPayload: String, path: String,
    receivedDate: Date
  ) {
    self.key = key
    self.environment = environment
    self.signedPayload = signedPayload
    self.path = path
    self.receivedDate = receivedDate
  }

  /// The path, never the token.
  public var description: String { "KeptNotification(\(path))" }

  public var customMirror: Mirror {
    Mirror(self, children: ["key": key, "path": path, "receivedDate": receivedDate])
  }
}
