public import AppStoreServerAPI
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The host's knowledge of what was bought with a token for external purchases.
public protocol ExternalPurchaseReporter: Sendable {
  /// Returns what to report about a token; nil if the host does not know yet, and is to be asked later.
  ///
  /// It is asked again after a failure, and has to answer the same then.
  func report(about token: ReportedToken) async throws -> ExternalPurchaseReportContent?
}

/// A token for external purchases about which Apple wants a report.
public struct ReportedToken: Hashable, Sendable {
  /// Apple's identifier of the token.
  public var externalPurchaseID: String
  public var cause: Cause
  /// The moment at which Apple asks for the report if it does not have it, in milliseconds; nil if it has asked.
  public var deadline: Date?

  /// Creates a token.
  public init(externalPurchaseID: String, cause: Cause, deadline: Date? = nil) {
    self.externalPurchaseID = externalPurchaseID
    self.cause = cause
    self.deadline = deadline
  }

  /// The reason why Apple tells of a token.
  public enum Cause: String, Hashable, Sendable, CaseIterable {
    case created
    /// The token is still in use: what was bought since the last report is to be reported.
    case reminder
    /// Apple has no report.
    case unreported

    /// The kind of the message that tells it.
    var messageKind: OutboxMessage.Kind {
      switch self {
      case .created: .externalPurchaseCreated
      case .reminder: .externalPurchaseReminder
      case .unreported: .externalPurchaseUnreported
      }
    }

    init?(messageKind: OutboxMessage.Kind) {
      guard let cause = Self.allCases.first(where: { $0.messageKind == messageKind }) else {
        return nil
      }
      self = cause
    }
  }
}

/// The content of a report about a token for external purchases.
public enum ExternalPurchaseReportContent: Hashable, Sendable {
  /// The transactions, refunds and corrections; at least one.
  case lineItems([ExternalPurchaseLineItem])
  /// Nothing was bought.
  case noLineItem
  /// The host does not know the token.
  case unrecognizedToken
  /// The transactions are reported with another token of the same time.
  case duplicateToken

  var status: ExternalPurchaseReportStatus {
    switch self {
    case .lineItems: .lineItem
    case .noLineItem: .noLineItem
    case .unrecognizedToken: .unrecognizedToken
    case .duplicateToken: .duplicateToken
    }
  }

  var lineItems: [ExternalPurchaseLineItem]? {
    if case .lineItems(let items) = self { items } else { nil }
  }
}
