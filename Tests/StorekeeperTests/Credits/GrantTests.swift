import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Source: credit rules, sections 2, 3 and 9 (rows 1 to 14).
@Suite("Credits of a purchase", .onEveryStore)
struct GrantTests {
  private let event = "payment.apple_iap:2000000900000001"

  // MARK: Once

  @Test("row 1: u1 verifies X: granted, 60, 160, the event id of X")
  func granted() async throws {
    try await CreditScene.run { (scene) async throws in
      let grant = try await scene.verify(scene.transaction(of: CreditScene.welcome))
      #expect(grant.status == .granted)
      #expect(grant.creditsAdded == 60)
      #expect(grant.newBalance == 160)
      #expect(grant.ledgerEventID == event)
      #expect(grant.productCode == "welcome_pack")
      #expect(grant.transactionID == CreditScene.x)
      #expect(try await scene.balance() == 160)
    }
  }

  @Test("row 2: the same call again, and after spending 30: already granted, the balance of now")
  func again() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction(of: CreditScene.welcome)
      _ = try await scene.verify(transaction)
      let again = try await scene.verify(transaction)
      #expect(again.status == .alreadyGranted)
      #expect([again.creditsAdded, again.newBalance] == [0, 160] as [Int])
      #expect(again.ledgerEventID == event)
      try await scene.give(-30, to: "u1")
      let later = try await scene.verify(transaction)
      #expect(later.status == .alreadyGranted)
      #expect([later.creditsAdded, later.newBalance] == [0, 130] as [Int])
      #expect(later.ledgerEventID == event)
      #expect(try await scene.entries().count == 1)
    }
  }

  @Test("another app comes before an environment that is not allowed")
  func appBeforeEnvironment() async throws {
    try await CreditScene.run { (scene) async throws in
      let foreign = try await creditFailure {
        try await scene.verify(
          scene.transaction {
            $0.bundleID = "com.example.other"
            $0.environment = .xcode
          })
      }
      guard case .notVerified(.bundleMismatch(found: "com.example.other")) = foreign else {
        Issue.record("\(String(describing: foreign))")
        return
      }
      let ours = try await creditFailure {
        try await scene.verify(scene.transaction { $0.environment = .xcode })
      }
      #expect(ours == .environmentNotAllowed(.xcode))
    }
  }

  @Test("a host that finds accounts by their tokens needs no other call to refuse a stranger's")
  func tokenOfAnother() async throws {
    let (ann, unknown) = (UUID(), UUID())
    let directory = InMemoryAccountDirectory()
    directory.add(Account(id: "u2"), appAccountToken: ann)
    directory.add(Account(id: "u1"))
    try await CreditScene.run { (scene) async throws in
      let service = try CreditService(
        PurchaseContext(
          store: scene.store, accounts: TokensOneWay(base: directory), verifier: scene.verifier,
          now: { scene.appStore.now }), products: try CreditProducts(CreditScene.products))
      func grant(_ id: String, _ token: UUID, by user: AccountID) async throws -> CreditGrant {
        let transaction = scene.transaction(id) { $0.appAccountToken = token }
        return try await service.grant(
          GrantClaim(
            userID: user, productCode: "big_pack", appStoreProductID: CreditScene.big,
            transactionID: id), signedTransactionInfo: try scene.signed(transaction))
      }
      let failure = try await creditFailure { try await grant(CreditScene.x, ann, by: "u1") }
      #expect(failure == .refused(.appAccountTokenMismatch))
      #expect(try await grant(CreditScene.x, ann, by: "u2").status == .granted)
      #expect(try await grant(CreditScene.y, unknown, by: "u1").status == .granted)
    }
  }

  @Test("row 4: u2 verifies u1's X: conflict")
  func otherUser() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction()
      _ = try await scene.verify(transaction)
      let failure = try await creditFailure { try await scene.verify(transaction, by: "u2") }
      #expect(failure == .refused(.conflict))
      #expect(try await scene.balance(of: "u2") == 0)
    }
  }

  @Test("a stored transaction with another product or bundle is a conflict, also for its owner")
  func otherProduct() async throws {
    try await CreditScene.run { (scene) async throws in
      _ = try await scene.verify(scene.transaction())
      let failure = try await creditFailure {
        try await scene.verify(scene.transaction(of: CreditScene.welcome))
      }
      #expect(failure == .refused(.conflict))
      #expect(try await scene.balance() == 600)
    }
  }

  @Test("the entry of a purchase has every member")
  func entry() async throws {
    let token = try #require(UUID(uuidString: "7E3FB204-2F0C-4B40-9A5A-1D7C9F2A0B11"))
    try await CreditScene.run { (scene) async throws in
      _ = try await scene.verify(
        scene.transaction {
          $0.originalTransactionID = "2000000900000000"
          $0.quantity = 3
          $0.appAccountToken = token
        })
      let entry = try #require(try await scene.entries().first)
      let row = try #require(try await scene.row())
      #expect(entry.booking.eventID == event)
      #expect(entry.booking.changeType == .purchase)
      #expect(entry.booking.subjectType == "payment")
      #expect(entry.booking.subjectID == row.id.map(String.init))
      #expect(entry.booking.amount == 1500)
      #expect(entry.balanceAfter == 1600)
      #expect(
        entry.booking.metadata == [
          "ext": .object([
            "provider": .string("apple_iap"), "environment": .string("Production"),
            "bundle_id": .string("com.example.reader"), "product_code": .string("big_pack"),
            "app_store_product_id": .string("com.example.gems.big"),
            "transaction_id": .string("2000000900000001"),
            "original_transaction_id": .string("2000000900000000"),
            "quantity": .integer(3), "credits_per_unit": .integer(500),
            "purchase_date": .integer(1_700_000_000_000),
            "app_account_token": .string("7e3fb204-2f0c-4b40-9a5a-1d7c9f2a0b11"),
          ])
        ])
      #expect(row.status == .granted)
      #expect(row.userID == "u1")
      #expect(row.purchase.quantity == 3)
      #expect(row.purchase.originalTransactionID == "2000000900000000")
      #expect(row.purchase.appAccountToken == token)
      #expect(row.credits == 1500)
      #expect(row.refundRound == 0)
      #expect(row.lastEventSignedDate == nil)
    }
  }

  // MARK: Amounts

  @Test("row 6: quantity 3 of big_pack adds 1500; an overflow is refused and nothing is written")
  func quantity() async throws {
    try await CreditScene.run { (scene) async throws in
      let grant = try await scene.verify(scene.transaction { $0.quantity = 3 })
      #expect([grant.creditsAdded, grant.newBalance] == [1500, 1600] as [Int])
      let product = scene.transaction(CreditScene.y) { $0.quantity = Int.max / 500 + 1 }
      #expect(
        try await creditFailure { try await scene.verify(product) } == .refused(.amountOutOfRange))
      let sum = scene.transaction(CreditScene.y) { $0.quantity = Int.max / 500 }
      #expect(
        try await creditFailure { try await scene.verify(sum) } == .refused(.amountOutOfRange))
      #expect(try await scene.balance() == 1600)
      #expect(try await scene.row(CreditScene.y) == nil)
      #expect(try await scene.kept(CreditScene.y).isEmpty)
      // A user without credits has room for it.
      #expect(try await scene.verify(sum, by: "u2").newBalance == Int.max / 500 * 500)
    }
  }

  @Test("a starter pack out of range marks no claim, and one already bought is refused before that")
  func starterOutOfRange() async throws {
    try await CreditScene.run { (scene) async throws in
      let huge = scene.transaction(of: CreditScene.welcome) { $0.quantity = Int.max / 60 }
      #expect(
        try await creditFailure { try await scene.verify(huge) } == .refused(.amountOutOfRange))
      #expect(
        try await scene.verify(scene.transaction(CreditScene.y, of: CreditScene.welcome)).status
          == .granted)
      for quantity in [Int.max / 60, Int.max] {
        let late = scene.transaction(of: CreditScene.welcome) { $0.quantity = quantity }
        #expect(
          try await creditFailure { try await scene.verify(late) }
            == .refused(.starterIneligible))
      }
    }
  }

  @Test("a quantity below 1 is no payload", arguments: [0, -1, Int.min])
  func noQuantity(quantity: Int) async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction { $0.quantity = quantity }
      #expect(
        try await creditFailure { try await scene.verify(transaction) } == .payloadInvalid)
    }
  }

  // MARK: The order of the checks

  @Test("row 9: an unknown or disabled code together with a forged JWS: product not found")
  func unknownCode() async throws {
    try await CreditScene.run { (scene) async throws in
      for code in ["gold_pack", "old_pack", "WELCOME_PACK", ""] {
        let claim = GrantClaim(
          userID: "u1", productCode: code, appStoreProductID: CreditScene.big,
          transactionID: CreditScene.x)
        let failure = try await creditFailure {
          try await scene.credits.grant(claim, signedTransactionInfo: "forged")
        }
        #expect(failure == .refused(.productNotFound))
      }
    }
  }

  @Test("row 10: a forged JWS together with a wrong product: invalid, not mismatch")
  func forged() async throws {
    let stranger = try TestAuthority { $0.signer = .stranger }
    let other = try TestAuthority()
    try await CreditScene.run { (scene) async throws in
      let claim = GrantClaim(
        userID: "u1", productCode: "big_pack", appStoreProductID: CreditScene.welcome,
        transactionID: CreditScene.x)
      for authority in [stranger, other] {
        let forged = try authority.sign(scene.transaction())
        guard
          case .notVerified(.chain)? = try await creditFailure({
            try await scene.credits.grant(claim, signedTransactionInfo: forged)
          })
        else {
          Issue.record("a stranger's chain was accepted")
          continue
        }
      }
      let genuine = try scene.signed(scene.transaction())
      let other = try scene.signed(scene.transaction(CreditScene.y))
      let parts = genuine.split(separator: ".")
      let changed = "\(parts[0]).\(other.split(separator: ".")[1]).\(parts[2])"
      let failure = try await creditFailure {
        try await scene.credits.grant(claim, signedTransactionInfo: changed)
      }
      #expect(failure == .notVerified(.signatureInvalid))
      let malformed = try await creditFailure {
        try await scene.credits.grant(claim, signedTransactionInfo: "a.b")
      }
      #expect(malformed == .notVerified(.malformedToken))
    }
  }

  @Test("row 11: a good JWS of big_pack, and the request says welcome_pack: mismatch")
  func mismatch() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction()
      let code = try await creditFailure {
        try await scene.verify(transaction, as: "welcome_pack")
      }
      #expect(code == .refused(.productMismatch))
      let both = try await creditFailure {
        try await scene.verify(transaction, as: "welcome_pack") {
          $0.appStoreProductID = CreditScene.welcome
        }
      }
      #expect(both == .refused(.productMismatch))
      let product = try await creditFailure {
        try await scene.verify(transaction) { $0.appStoreProductID = CreditScene.welcome }
      }
      #expect(product == .refused(.productMismatch))
      let before = try await creditFailure {
        try await scene.verify(transaction, as: "welcome_pack") {
          $0.transactionID = CreditScene.y
        }
      }
      #expect(before == .refused(.productMismatch))
      let id = try await creditFailure {
        try await scene.verify(transaction) { $0.transactionID = CreditScene.y }
      }
      #expect(id == .refused(.transactionIDMismatch))
      #expect(try await scene.row() == nil)
    }
  }

  @Test("a signed transaction that lacks a value is no payload, one of another app no purchase")
  func payload() async throws {
    try await CreditScene.run { (scene) async throws in
      let changes: [(inout Transaction) -> Void] = [
        { $0.transactionID = nil }, { $0.transactionID = "" }, { $0.productID = nil },
        { $0.bundleID = nil }, { $0.environment = nil },
      ]
      for change in changes {
        let transaction = scene.transaction { change(&$0) }
        let failure = try await creditFailure {
          try await scene.verify(transaction) {
            $0.transactionID = CreditScene.x
            $0.appStoreProductID = CreditScene.big
            $0.productCode = "big_pack"
          }
        }
        #expect(failure == .payloadInvalid)
      }
      let foreign = scene.transaction { $0.bundleID = "com.example.other" }
      #expect(
        try await creditFailure { try await scene.verify(foreign) }
          == .notVerified(.bundleMismatch(found: "com.example.other")))
    }
  }

  // MARK: Account tokens

  /// The token in the request, that in the JWS, the host's, and whether they pass.
  ///
  /// Source: credit rules, section 2, the table under the checks.
  static let tokenRows: [(UUID?, UUID?, UUID?, Bool)] = {
    let (one, other) = (UUID(), UUID())
    return [
      (nil, nil, nil, true), (nil, nil, one, true),
      (nil, one, nil, true), (nil, one, one, true),
      (nil, one, other, false),
      (one, nil, nil, false), (one, nil, one, false), (one, other, nil, false),
      (one, other, one, false), (one, other, other, false),
      (one, one, nil, true), (one, one, one, true), (one, one, other, false),
    ]
  }()

  @Test("row 12: each row of the token table", arguments: tokenRows.indices)
  func tokens(index: Int) async throws {
    let (claimed, signed, known, passes) = Self.tokenRows[index]
    try await CreditScene.run {
      $0.accounts.tokens = known.map { ["u1": $0] } ?? [:]
    } _: { (scene) async throws in
      let transaction = scene.transaction { $0.appAccountToken = signed }
      let failure = try await creditFailure {
        try await scene.verify(transaction) { $0.appAccountToken = claimed }
      }
      #expect(failure == (passes ? nil : .refused(.appAccountTokenMismatch)))
      #expect(try await scene.balance() == (passes ? 600 : 100))
    }
  }

  // MARK: Environments

  @Test("row 13: X signed as Sandbox, then as Production: two grants")
  func environments() async throws {
    try await CreditScene.run { (scene) async throws in
      let sandbox = scene.transaction { $0.environment = .sandbox }
      #expect(try await scene.verify(sandbox).newBalance == 600)
      #expect(try await scene.verify(scene.transaction()).newBalance == 1100)
      let rows = [try await scene.row(CreditScene.x, .sandbox), try await scene.row()]
      #expect(Set(rows.compactMap { $0?.id }).count == 2)
      let entries = try await scene.entries()
      #expect(entries.map(\.booking.eventID) == [event, event])
      #expect(
        entries.map { $0[ext: "environment"] } == [.string("Sandbox"), .string("Production")])
    }
  }

  @Test("row 13: only Production is allowed: Sandbox is not")
  func narrowed() async throws {
    try await CreditScene.run {
      $0.options.environments = [.production]
    } _: { (scene) async throws in
      let sandbox = scene.transaction { $0.environment = .sandbox }
      #expect(
        try await creditFailure { try await scene.verify(sandbox) }
          == .environmentNotAllowed(.sandbox))
      #expect(try await scene.verify(scene.transaction()).status == .granted)
    }
  }

  @Test("a verifier that accepts only Production refuses Sandbox in the same way")
  func narrowedVerifier() async throws {
    try await CreditScene.run {
      $0.verified = [.production]
    } _: { (scene) async throws in
      for environment in [
        AppStoreEnvironment.sandbox, .xcode, .localTesting, .init(rawValue: "Moon"),
      ] {
        let transaction = scene.transaction { $0.environment = environment }
        #expect(
          try await creditFailure { try await scene.verify(transaction) }
            == .environmentNotAllowed(environment))
      }
    }
  }

  @Test("testers alone get credits of the Sandbox, if the host says so")
  func byUser() async throws {
    try await CreditScene.run {
      $0.options.environments = CountedEnvironments([.production], testers: ["tester"])
    } _: { (scene) async throws in
      let sandbox = scene.transaction { $0.environment = .sandbox }
      #expect(
        try await creditFailure { try await scene.verify(sandbox) }
          == .environmentNotAllowed(.sandbox))
      #expect(try await scene.verify(sandbox, by: "tester").newBalance == 500)
      #expect(try await scene.verify(scene.transaction()).newBalance == 600)
    }
  }

  // MARK: Revoked

  @Test("row 14: a JWS with a revocation date: revoked, granted or not, and the balance stays")
  func revoked() async throws {
    try await CreditScene.run { (scene) async throws in
      let revoked = scene.transaction {
        $0.revocationDate = ServiceScene.start
        $0.revocationReason = .other
      }
      #expect(try await creditFailure { try await scene.verify(revoked) } == .refused(.revoked))
      #expect(try await scene.row() == nil)
      _ = try await scene.verify(scene.transaction())
      for user in ["u1", "u2"] as [AccountID] {
        #expect(
          try await creditFailure { try await scene.verify(revoked, by: user) }
            == .refused(.revoked))
      }
      #expect(try await scene.balance() == 600)
      #expect(try await scene.row()?.status == .granted)
    }
  }

  // MARK: Beside the credits

  @Test("the purchase is kept among those of all capabilities")
  func kept() async throws {
    try await CreditScene.run { (scene) async throws in
      let purchase = try scene.appStore.buy(CreditScene.big, quantity: 2)
      let verified = try scene.verifier.transaction(purchase.signedTransactionInfo)
      let grant = try await scene.credits.grant(verified, of: "big_pack", to: "u1")
      #expect([grant.creditsAdded, grant.newBalance] == [1000, 1100] as [Int])
      let kept = try await scene.kept(purchase.originalTransactionID)
      #expect(kept.map(\.transactionID) == [purchase.transactionID])
      #expect(kept.first?.productID == CreditScene.big)
      #expect(kept.first?.isCancelled == false)
    }
  }

  @Test("the products may be replaced while the service runs")
  func replaced() async throws {
    try await CreditScene.run { (scene) async throws in
      let service = try CreditService(
        PurchaseContext(store: scene.store, accounts: CreditAccounts(), verifier: scene.verifier),
        products: CreditProducts())
      let verified = try scene.verifier.transaction(scene.signed(scene.transaction()))
      #expect(
        try await creditFailure { try await service.grant(verified, of: "big_pack", to: "u1") }
          == .refused(.productNotFound))
      let other = try CreditService(
        PurchaseContext(store: scene.store, accounts: CreditAccounts(), verifier: scene.verifier),
        products: try CreditProducts([
          CreditProduct(code: "big_pack", appStoreProductID: CreditScene.big, credits: 7)
        ]))
      #expect(try await other.grant(verified, of: "big_pack", to: "u1").creditsAdded == 7)
      // What was granted stays, whatever the products say now.
      #expect(try await scene.verify(scene.transaction()).newBalance == 107)
    }
  }
}

/// A directory that finds accounts by their tokens, but not tokens by their accounts.
private struct TokensOneWay: AccountDirectory {
  let base: InMemoryAccountDirectory

  func account(_ id: AccountID) -> Account? { base.account(id) }
  var hasAppAccountTokens: Bool { base.hasAppAccountTokens }
  func account(appAccountToken token: UUID) -> Account? { base.account(appAccountToken: token) }
}
