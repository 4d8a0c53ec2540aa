internal import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The rule for a purchase that one account has and another one shows.
///
/// Source: linking rules, section 2.4.
public enum TransferRule: String, Hashable, Sendable, CaseIterable {
  /// The first account keeps it.
  case never
  /// It moves to the other account once it gives the first one nothing any more.
  case ifLapsed
  /// It moves to whoever shows it last.
  case always
}

/// The rules for purchases that one account has and another one shows.
///
/// ```swift
/// var options = LinkOptions()
/// options.transfer = .ifLapsed
/// options.transfer.sandbox = .always        // testers share one device
/// ```
///
/// A mark that an app set in the purchase decides before any rule: such a purchase stays with its account. Source:
/// linking rules, section 2.4.
public struct TransferOptions: Hashable, Sendable {
  /// The rule for purchases in Production.
  public var production: TransferRule
  /// The rule for purchases in the Sandbox and other environments; nil for that of Production.
  public var sandbox: TransferRule?
  /// The number of times that one purchase moves within ``period`` at most; 2 by default, and with 0 it never moves.
  public var limit: Int
  /// The time in which moves are counted; 30 days by default.
  public var period: Duration

  /// The first account keeps a purchase.
  public static let never = TransferOptions(.never)
  /// A purchase moves once it gives its account nothing any more.
  public static let ifLapsed = TransferOptions(.ifLapsed)
  /// A purchase moves to whoever shows it last.
  public static let always = TransferOptions(.always)

  /// Creates rules.
  public init(
    _ production: TransferRule = .never, sandbox: TransferRule? = nil, limit: Int = 2,
    period: Duration = .days(30)
  ) {
    self.production = production
    self.sandbox = sandbox
    self.limit = limit
    self.period = period
  }

  /// Returns the rule for purchases of an environment.
  public func rule(for environment: AppStoreEnvironment) -> TransferRule {
    environment == .production ? production : sandbox ?? production
  }

  /// Returns whether a purchase may move, given whether it gives its account nothing now, and the dates at which it moved
  /// before.
  ///
  /// The marks of apps are not considered.
  public func allow(
    _ environment: AppStoreEnvironment, isLapsed: Bool, movedAt dates: [Date], now: Date
  ) -> Bool {
    switch rule(for: environment) {
    case .never: return false
    case .ifLapsed: guard isLapsed else { return false }
    case .always: break
    }
    let start = now.addingTimeInterval(-period.timeInterval)
    // A move from several accounts at once has one date.
    return Set(dates).count { start < $0 } < limit
  }
}
