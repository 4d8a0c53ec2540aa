/// An account of the host, as far as purchases need it.
///
/// Some hosts know an account by a second identifier, such as that of another sign-in service. An
/// account may have the second one only. Source: linking rules, section 1.1.
public struct Account: Hashable, Sendable {
  /// The identifier of the account: its ``primaryID``, or else its ``secondID``.
  public let id: AccountID
  /// The host's own identifier; nil if the account has a second identifier only.
  public let primaryID: AccountID?
  /// The second identifier; nil if there is none.
  public let secondID: AccountID?

  /// Creates an account of the host's own identifier.
  public init(id: AccountID, secondID: AccountID? = nil) {
    self.id = id
    primaryID = id
    self.secondID = secondID
  }

  /// Creates an account that has a second identifier only.
  public init(secondID: AccountID) {
    id = secondID
    primaryID = nil
    self.secondID = secondID
  }

  /// Creates an account of the identifiers that are there; nil without any.
  public init?(primaryID: AccountID?, secondID: AccountID?) {
    guard let id = primaryID ?? secondID else { return nil }
    self.id = id
    self.primaryID = primaryID
    self.secondID = secondID
  }

  /// Whether an identifier is one of the account's: either of the two is its own, for every capability.
  ///
  /// Source: entitlement rules, section 7.
  public func isKnown(as identifier: AccountID) -> Bool {
    primaryID == identifier || secondID == identifier
  }

  /// Whether both are known by one identifier at least, so that they are the same account.
  public func isSame(as other: Account) -> Bool {
    [primaryID, secondID].contains { $0.map(other.isKnown(as:)) ?? false }
  }
}
