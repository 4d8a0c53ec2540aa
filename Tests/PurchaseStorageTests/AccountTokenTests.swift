import Foundation
import InMemoryStorage
import PurchaseStorage
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Tokens and addresses of accounts")
struct AccountTokenTests {
  @Test("an account in memory is found by its token; token, address and language by the account")
  func memory() {
    let token = UUID()
    let directory = InMemoryAccountDirectory()
    #expect(!directory.hasAppAccountTokens)
    directory.add(
      Account(id: "ann"), appAccountToken: token, emailAddress: "ann@example.com",
      preferredLanguage: "zh-Hans")
    directory.add(Account(id: "bob"))
    #expect(directory.hasAppAccountTokens)
    #expect(directory.account(appAccountToken: token)?.primaryID == "ann")
    #expect(directory.account(appAccountToken: UUID()) == nil)
    #expect(directory.appAccountToken(of: "ann") == token)
    #expect(directory.appAccountToken(of: "bob") == nil)
    #expect(directory.emailAddress(of: "ann") == "ann@example.com")
    #expect(directory.emailAddress(of: "bob") == nil)
    #expect(directory.preferredLanguage(of: "ann") == "zh-Hans")
    #expect(directory.preferredLanguage(of: "bob") == nil)
  }

  @Test("a directory with tokens keeps the law, and one that finds no account by them breaks it")
  func law() async throws {
    let name = "An app account token that is known for an account finds that account"
    func check(_ directory: @escaping @Sendable ([Account]) -> any AccountDirectory) async throws {
      let contract = AccountDirectoryContract { directory($0) }
      try await #require(contract.laws.first { $0.name == name }).check()
    }
    try await check { accounts in
      let directory = InMemoryAccountDirectory()
      for account in accounts { directory.add(account, appAccountToken: UUID()) }
      return directory
    }
    await #expect(throws: ContractViolation.self) { try await check { _ in Forgetful() } }
  }

  /// Knows tokens, but not whose they are.
  private struct Forgetful: AccountDirectory {
    func account(_ id: AccountID) -> Account? { Account(id: id) }
    func appAccountToken(of id: AccountID) -> UUID? { UUID() }
  }
}
