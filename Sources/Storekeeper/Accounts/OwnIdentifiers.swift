package import PurchaseStorage
package import ReceiptModels

/// The identifiers of a user, as far as the host's accounts were asked about them.
///
/// An account that is known by two identifiers owns what either of them owns. Source: entitlement rules, section 7.
struct OwnIdentifiers: Sendable {
  let userID: AccountID
  /// The account; nil if nobody has been asked.
  private let account: Account?

  private init(_ userID: AccountID, _ account: Account?) {
    self.userID = userID
    self.account = account
  }

  init(_ account: Account) { self.init(account.id, account) }

  /// Whether an owner is the user; throws ``UnknownIdentifiers`` if only the host's accounts can tell.
  func contain(_ owner: AccountID) throws(UnknownIdentifiers) -> Bool {
    if owner == userID { return true }
    guard let account else { throw UnknownIdentifiers() }
    return account.isKnown(as: owner)
  }

  /// Returns the user for an owner that is the same account, and any other owner as it is.
  func user(for owner: AccountID?) throws(UnknownIdentifiers) -> AccountID? {
    guard let owner else { return nil }
    return try contain(owner) ? userID : owner
  }

  /// Does work with the identifiers of a user, once more if it meets an owner that may be the same account.
  ///
  /// So the host's accounts are asked only where something belongs to somebody else. The work writes nothing before
  /// it has asked for all owners.
  static func asking<Result>(
    of userID: AccountID, in accounts: any AccountDirectory,
    _ work: (OwnIdentifiers) async throws -> Result
  ) async throws -> Result {
    do {
      return try await work(OwnIdentifiers(userID, nil))
    } catch is UnknownIdentifiers {
      let account = try await accounts.account(knownAs: userID)
      return try await work(OwnIdentifiers(userID, account ?? Account(id: userID)))
    }
  }
}

/// Nobody has been asked yet whether an owner is the same account as a user.
struct UnknownIdentifiers: Error {}

extension AccountDirectory {
  /// Returns the account with an identifier, its own or its second one; nil if there is none.
  package func account(knownAs id: AccountID) async throws -> Account? {
    if let account = try await account(id) { return account }
    return try await account(primaryID: nil, secondID: id)
  }
}
