public import ReceiptModels

/// Which of the two contracts a request speaks.
///
/// Source: contract on linking, sections 2.3 and 6.5.
public enum LinkContract: String, Hashable, Sendable, CaseIterable {
  /// The current contract.
  case current
  /// The contract of 2019, which older clients speak.
  case year2019 = "2019"
}

/// The settings of the policy.
public struct LinkOptions: Hashable, Sendable {
  /// The contract that decides.
  public var contract: LinkContract = .current
  /// The environments whose subscriptions may be linked, and may change a membership.
  public var allowedEnvironments: Set<AppStoreEnvironment> = [.production]
  /// Whether a switch by force to a subscription that ends earlier is refused; current contract only.
  public var isSwitchStrict: Bool = false
  /// For how many days after its expiry automatic renewal keeps something valid; Apple tries for at
  /// most 60.
  public var autoRenewTolerance: Int = 60

  /// The literal contract: only Production, no strict switch.
  public init() {}
}
