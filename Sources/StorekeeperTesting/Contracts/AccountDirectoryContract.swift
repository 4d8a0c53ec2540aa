public import PurchaseStorage
public import ReceiptModels

/// The laws of an ``/PurchaseStorage/AccountDirectory``, to be run on a host's.
public struct AccountDirectoryContract: Sendable {
  private let makeDirectory: @Sendable ([Account]) async throws -> any AccountDirectory

  /// The contract for one kind of directory.
  ///
  /// The closure gives a directory that has these accounts and no others.
  public init(
    makeDirectory: @escaping @Sendable ([Account]) async throws -> any AccountDirectory
  ) {
    self.makeDirectory = makeDirectory
  }

  /// The laws, each with a directory of its own.
  public var laws: [ContractLaw] {
    Self.directoryLaws.map { law in
      ContractLaw(law.name) {
        let accounts = [
          Account(id: "email"), Account(id: "both", secondID: "union-both"),
          Account(secondID: "union-only"),
        ]
        try await law.check(try await makeDirectory(accounts))
      }
    }
  }

  /// Checks all laws, one after the other.
  ///
  /// - Throws: ``ContractViolation`` of the first law that is broken.
  public func run(fileID: String = #fileID, line: Int = #line) async throws {
    for law in laws { try await law.check(fileID: fileID, line: line) }
  }
}

extension AccountDirectoryContract {
  private static var directoryLaws: [Law<any AccountDirectory>] {
    [
      Law("An account is found by its primary ID, with all its identifiers") { directory in
        let accounts: [(AccountID, AccountID?)] = [("email", nil), ("both", "union-both")]
        for (id, secondID) in accounts {
          let account = Account(id: id, secondID: secondID)
          try expect("the account", try await directory.account(id), is: account)
          try expect(
            "the account", try await directory.account(primaryID: id, secondID: nil), is: account)
        }
      },
      Law("An account is found by its second ID, with all its identifiers") { directory in
        try expect(
          "the account", try await directory.account(primaryID: nil, secondID: "union-both"),
          is: Account(id: "both", secondID: "union-both"))
        try expect(
          "the account", try await directory.account(primaryID: nil, secondID: "union-only"),
          is: Account(secondID: "union-only"))
      },
      Law("Of two identifiers both must belong to the account") { directory in
        try expect(
          "the account", try await directory.account(primaryID: "both", secondID: "union-both"),
          is: Account(id: "both", secondID: "union-both"))
        let strangers: [(AccountID, AccountID)] = [
          ("email", "union-both"), ("both", "union-only"), ("both", "nobody"),
          ("nobody", "union-both"),
        ]
        for (id, secondID) in strangers {
          try expect(
            "no account", try await directory.account(primaryID: id, secondID: secondID) == nil)
        }
      },
      Law("An app account token that is known for an account finds that account") { directory in
        for id: AccountID in ["email", "both"] {
          guard let token = try await directory.appAccountToken(of: id) else { continue }
          try expect("a directory of tokens", directory.hasAppAccountTokens)
          try expect(
            "the owner", try await directory.account(appAccountToken: token)?.primaryID, is: id)
        }
        try expect("no token", try await directory.appAccountToken(of: "nobody") == nil)
        try expect("no address", try await directory.emailAddress(of: "nobody") == nil)
        try expect("no language", try await directory.preferredLanguage(of: "nobody") == nil)
      },
      Law("An unknown identifier, or none, finds no account") { directory in
        for text in ["nobody", "EMAIL", "", "e%", "' OR ''='", "union-only"] {
          let id = AccountID(stored: text)
          try expect("no account", try await directory.account(id) == nil)
          try expect("no account", try await directory.account(primaryID: id, secondID: nil) == nil)
        }
        for text in ["nobody", "UNION-ONLY", "", "union%", "email"] {
          let id = AccountID(stored: text)
          try expect("no account", try await directory.account(primaryID: nil, secondID: id) == nil)
        }
        try expect("no account", try await directory.account(primaryID: nil, secondID: nil) == nil)
      },
    ]
  }
}
