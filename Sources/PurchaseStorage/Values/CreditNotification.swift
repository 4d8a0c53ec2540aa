public import CreditPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A notification that was considered for credits, as it is stored.
///
/// Source: credit rules, section 5.
public struct CreditNotification: Hashable, Sendable {
  /// The identifier of the notification, in lower case: 1 to 255 bytes.
  public var uuid: String
  /// The type: 0 to 255 bytes.
  public var type: String
  public var subtype: String?
  /// The environment as Apple signed it; also one without a store, such as Xcode.
  public var environment: AppStoreEnvironment
  public var transactionID: String?
  /// The date at which Apple signed the notification, in milliseconds.
  public var signedDate: Date
  public var outcome: NoticeOutcome
  /// The date at which the notification was processed, in milliseconds.
  public var processedDate: Date

  /// Creates a notification.
  public init(
    uuid: String, type: String, subtype: String? = nil, environment: AppStoreEnvironment,
    transactionID: String? = nil, signedDate: Date, outcome: NoticeOutcome, processedDate: Date
  ) {
    self.uuid = uuid
    self.type = type
    self.subtype = subtype
    self.environment = environment
    self.transactionID = transactionID
    self.signedDate = signedDate
    self.outcome = outcome
    self.processedDate = processedDate
  }
}
