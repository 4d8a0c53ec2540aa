internal import PurchaseStorage
internal import ReceiptModels

extension AccountDirectory {
  /// Returns the account with an identifier, its own or its second one; nil if there is none.
  func account(knownAs id: AccountID) async throws -> Account? {
    if let account = try await account(id) { return account }
    return try await account(primaryID: nil, secondID: id)
  }
}

extension CountedEnvironments {
  /// Returns the rule for one user, whom the host may know by another identifier as well; its accounts are asked only
  /// if the answer depends on them.
  func counting(
    for userID: AccountID?, in accounts: any AccountDirectory
  ) async throws -> CountedEnvironments {
    guard let userID else { return counting(for: nil) }
    let isOpen = environments.contains(.sandbox) || testers.isEmpty || testers.contains(userID)
    guard !isOpen else { return counting(for: Account(id: userID)) }
    return counting(for: try await accounts.account(knownAs: userID))
  }
}
