#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The environments whose purchases count, for everybody or for testers alone.
///
/// Nobody pays for a purchase of the Sandbox, nor for a test purchase of Google Play. Each capability has a
/// rule of its own.
///
/// ```swift
/// let nobody: CountedEnvironments = [.production]
/// let testers = CountedEnvironments([.production], testers: ["alice"])
/// testers.count(.sandbox, for: Account(id: "alice"))     // true
/// ```
///
/// A tester may end by itself (``testerEnds``), and all of them with ``endTesting(at:)``, as before a release.
///
/// Source: entitlement rules, section 12.
public struct CountedEnvironments: Hashable, Sendable {
  /// The environments whose purchases count for everybody.
  public var environments: Set<AppStoreEnvironment>
  /// The users for whom purchases of the Sandbox count as well, by either identifier.
  public var testers: Set<AccountID>
  /// The moments from which purchases of the Sandbox count for a tester no longer; a tester without one never ends.
  public var testerEnds: [AccountID: Date] = [:]

  /// Production and the Sandbox, for everybody.
  public static let all: CountedEnvironments = [.production, .sandbox]

  /// Creates a rule.
  public init(
    _ environments: Set<AppStoreEnvironment>, testers: Set<AccountID> = []
  ) {
    self.environments = environments
    self.testers = testers
  }

  /// Returns whether purchases of an environment count for an account at a moment, which is known by either of its
  /// identifiers; nil for one that is not known.
  ///
  /// Without a moment the ends of testers do not matter.
  public func count(
    _ environment: AppStoreEnvironment, for account: Account?, at now: Date? = nil
  ) -> Bool {
    if environments.contains(environment) { return true }
    guard environment == .sandbox, let account else { return false }
    return testerIDs(of: account).contains { id in
      guard let now, let end = testerEnds[id] else { return true }
      return now < end
    }
  }

  /// Returns the moment from which purchases of an environment count for an account no longer; nil if there is none.
  public func end(of environment: AppStoreEnvironment, for account: Account?) -> Date? {
    guard environment == .sandbox, !environments.contains(environment), let account else {
      return nil
    }
    let ends = testerIDs(of: account).map { testerEnds[$0] }
    return ends.contains(nil) ? nil : ends.compactMap(\.self).max()
  }

  /// Ends all testers at a moment, also those that would have ended later.
  public mutating func endTesting(at date: Date) {
    for tester in testers { testerEnds[tester] = min(testerEnds[tester] ?? date, date) }
  }

  /// Returns whether there is an account for which purchases of an environment count.
  public func countForSomebody(_ environment: AppStoreEnvironment) -> Bool {
    environments.contains(environment) || environment == .sandbox && !testers.isEmpty
  }

  /// Returns the rule for one account alone at a moment, so that it counts the same for whoever it is asked.
  ///
  /// Without a moment the ends of testers do not matter.
  public func counting(for account: Account?, at now: Date? = nil) -> CountedEnvironments {
    CountedEnvironments(
      count(.sandbox, for: account, at: now) ? environments.union([.sandbox]) : environments)
  }

  /// The identifiers of an account under which it is a tester.
  private func testerIDs(of account: Account) -> [AccountID] {
    guard !testers.isEmpty else { return [] }
    return [account.primaryID, account.secondID].compactMap(\.self).filter(testers.contains)
  }
}

extension CountedEnvironments: ExpressibleByArrayLiteral {
  /// Creates a rule of environments that count for everybody.
  public init(arrayLiteral environments: AppStoreEnvironment...) {
    self.init(Set(environments))
  }
}
