public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The record that a customer's history was read, with the revision of its last page.
///
/// Asked with the revision, the App Store tells the next time only what is new or changed. Source: App Store Server API rules, section 2.1.
public struct HistoryRevision: Hashable, Sendable {
  /// A kind of history, each with revisions of its own.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The transactions of a customer, in ascending order.
    case history
    case refunds
  }

  /// The original transaction id under which the history is asked: 1 to 64 digits.
  public var originalTransactionID: String
  /// The environment of the purchase: Production or Sandbox.
  public var environment: AppStoreEnvironment
  public var kind: Kind
  /// The App Store's text, which has no meaning to others: 1 to 2,048 bytes; nil if it gave none, so that the next
  /// history is read from its start.
  public var revision: String?
  /// The date of the answer that contained it.
  public var asOf: Date

  /// Creates a revision to keep.
  public init(
    originalTransactionID: String, environment: AppStoreEnvironment, kind: Kind, revision: String?,
    asOf: Date
  ) {
    self.originalTransactionID = originalTransactionID
    self.environment = environment
    self.kind = kind
    self.revision = revision
    self.asOf = asOf
  }
}
