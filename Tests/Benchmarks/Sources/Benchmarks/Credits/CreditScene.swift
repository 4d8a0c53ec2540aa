import Foundation
import Storekeeper
import Synchronization

/// Signed purchases of a credit pack, and services that grant them.
final class CreditScene: Sendable {
  static let appStoreProductID = "com.example.reader.gems.big"
  private static let code = "big_pack"

  private let verifier: SignedDataVerifier
  /// Signed before anything is measured.
  private let tokens: [String]

  struct UsedUp: Error {}

  private struct AnyAccount: AccountDirectory {
    func account(_ id: AccountID) async throws -> Account? { Account(id: id) }
  }

  init(purchases: Int) throws {
    let sample = try Sample()
    tokens = try (0..<purchases).map { try sample.pack(number: $0) }
    verifier = try SignedDataVerifier(
      apps: [App(bundleID: BenchmarkService.bundleID)], environments: [.sandbox],
      trustAnchors: [try sample.authority.fingerprintAnchor])
  }

  func service(on store: any PurchaseStore) throws -> CreditService {
    try CreditService(
      PurchaseContext(store: store, accounts: AnyAccount(), verifier: verifier),
      products: try CreditProducts([
        CreditProduct(
          code: Self.code, appStoreProductID: Self.appStoreProductID, credits: 500)
      ]))
  }

  /// Grants the purchase of a number to a user of its own: with its signature, as a client's request.
  func grant(_ number: Int, by service: CreditService) async throws {
    guard number < tokens.count else { throw UsedUp() }
    let claim = GrantClaim(
      userID: try AccountID(Numbered.account(number)), productCode: Self.code,
      appStoreProductID: Self.appStoreProductID,
      transactionID: "\(2_000_000_909_538_865 + number)")
    _ = try await service.grant(claim, signedTransactionInfo: tokens[number])
  }
}
