public import PurchaseStorage
public import ReceiptModels

/// The laws of an ``/PurchaseStorage/AccountDirectory``, to be run on a host's.
public struct AccountDirectoryContract: Sendable {
  private let makeDirectory: @Sendable ([Account]) async throws -> any AccountDirectory

  /// The contract for one kind of directory.
  ///
  /// - Parameter makeDirectory: Gives a directory that has these accounts and no others.
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
          try Account(ftcID: "email"), try Account(ftcID: "both", unionID: "union-both"),
          try Account(ftcID: nil, unionID: "union-only"),
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

/// A law of accounts.
private struct DirectoryLaw: Sendable {
  let name: String
  let check: @Sendable (any AccountDirectory) async throws -> Void
}

extension AccountDirectoryContract {
  private static var directoryLaws: [DirectoryLaw] {
    [
      DirectoryLaw(name: "An account is found by its ftcId, with all its identifiers") {
        directory in
        for (id, union) in [("email", nil), ("both", "union-both")] {
          let account = try Account(ftcID: id, unionID: union)
          try expect("the account", try await directory.account(ftcID: id), is: account)
          try expect(
            "the account", try await directory.account(ftcID: id, unionID: nil), is: account)
        }
      },
      DirectoryLaw(name: "An account is found by its union id, with all its identifiers") {
        directory in
        for (id, union) in [("both", "union-both"), (nil, "union-only")] {
          try expect(
            "the account", try await directory.account(ftcID: nil, unionID: union),
            is: try Account(ftcID: id, unionID: union))
        }
      },
      DirectoryLaw(name: "Of two identifiers both have to be the account's") { directory in
        try expect(
          "the account", try await directory.account(ftcID: "both", unionID: "union-both"),
          is: try Account(ftcID: "both", unionID: "union-both"))
        for (id, union) in [
          ("email", "union-both"), ("both", "union-only"), ("both", "nobody"),
          ("nobody", "union-both"),
        ] {
          try expect(
            "no account", try await directory.account(ftcID: id, unionID: union) == nil)
        }
      },
      DirectoryLaw(name: "Nobody is found by an identifier that no account has, or by none") {
        directory in
        for id in ["nobody", "EMAIL", "", "e%", "' OR ''='", "union-only"] {
          try expect("no account", try await directory.account(ftcID: id) == nil)
          try expect("no account", try await directory.account(ftcID: id, unionID: nil) == nil)
        }
        for id in ["nobody", "UNION-ONLY", "", "union%", "email"] {
          try expect("no account", try await directory.account(ftcID: nil, unionID: id) == nil)
        }
        try expect("no account", try await directory.account(ftcID: nil, unionID: nil) == nil)
      },
    ]
  }
}
