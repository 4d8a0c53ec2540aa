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
/// Source: entitlement rules, section 12.
public struct CountedEnvironments: Hashable, Sendable {
  /// The environments whose purchases count for everybody.
  public var environments: Set<AppStoreEnvironment>
  /// The users for whom purchases of the Sandbox count as well, by either identifier.
  public var testers: Set<AccountID>

  /// Production and the Sandbox, for everybody.
  public static let all: CountedEnvironments = [.production, .sandbox]

  /// Creates a rule.
  public init(
    _ environments: Set<AppStoreEnvironment>, testers: Set<AccountID> = []
  ) {
    self.environments = environments
    self.testers = testers
  }

  /// Returns whether purchases of an environment count for an account, which is known by either of its
  /// identifiers; nil for one that is not known.
  public func count(_ environment: AppStoreEnvironment, for account: Account?) -> Bool {
    environments.contains(environment) || environment == .sandbox && account.map(isTester) ?? false
  }

  /// Returns whether there is an account for which purchases of an environment count.
  public func countForSomebody(_ environment: AppStoreEnvironment) -> Bool {
    environments.contains(environment) || environment == .sandbox && !testers.isEmpty
  }

  /// Returns the rule for one account alone, so that it counts the same for whoever it is asked.
  public func counting(for account: Account?) -> CountedEnvironments {
    CountedEnvironments(
      count(.sandbox, for: account) ? environments.union([.sandbox]) : environments)
  }

  private func isTester(_ account: Account) -> Bool {
    [account.primaryID, account.secondID].contains { $0.map(testers.contains) ?? false }
  }
}

extension CountedEnvironments: ExpressibleByArrayLiteral {
  /// Creates a rule of environments that count for everybody.
  public init(arrayLiteral environments: AppStoreEnvironment...) {
    self.init(Set(environments))
  }
}
