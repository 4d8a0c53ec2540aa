public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A notification that is authentic, but was not decoded: kept as it came, until a later version of
/// the models decodes it.
///
/// Source: contract on signed data, section 7.2.
public struct KeptNotification: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// What makes it the same notification when it comes again: at most 255 bytes.
  public var key: String
  /// The environment, where it could be read.
  public var environment: AppStoreEnvironment?
  /// The compact JWS, 1 byte to 256 KiB.
  public var signedPayload: String
  /// The path of the field that could not be decoded; empty for the whole.
  public var path: String
  /// The moment at which it came.
  public var receivedDate: Date

  /// A notification to keep.
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

  /// Without the token.
  public var customMirror: Mirror {
    Mirror(self, children: ["key": key, "path": path, "receivedDate": receivedDate])
  }
}
