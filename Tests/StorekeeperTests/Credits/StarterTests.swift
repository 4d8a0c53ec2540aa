import StoreSimulators
import Storekeeper
import Testing

/// Source: credit rules, sections 7 and 9 (rows 28 and 29).
@Suite("Starter packs", .onEveryStore)
struct StarterTests {
  private func buy(
    _ scene: CreditScene, _ id: String, by user: AccountID
  ) async throws -> CreditFailure? {
    try await creditFailure {
      try await scene.verify(scene.transaction(id, of: CreditScene.welcome), by: user)
    }
  }

  @Test(
    "row 28: bought as ' Ann@Example.COM ', then by another user as 'ann@example.com': ineligible")
  func sameAddress() async throws {
    try await CreditScene.run {
      $0.accounts.emails = ["u1": " Ann@Example.COM ", "u2": "ann@example.com"]
    } _: { (scene) async throws in
      #expect(try await buy(scene, CreditScene.x, by: "u1") == nil)
      #expect(try await scene.messages().isEmpty)
      #expect(try await buy(scene, CreditScene.y, by: "u2") == .refused(.starterIneligible))
      #expect(try await scene.row(CreditScene.y) == nil)
      #expect(try await scene.kept(CreditScene.y).isEmpty)
      #expect(try await scene.balance(of: "u2") == 0)
      let message = try #require(try await scene.messages().first)
      #expect(message.kind.rawValue == "starter_refused")
      #expect(message.account?.id == "u2")
      #expect(message.reference == CreditScene.y)
      #expect(try await scene.messages().count == 1)
      // Asking again tells the host nothing new.
      #expect(try await buy(scene, CreditScene.y, by: "u2") == .refused(.starterIneligible))
      #expect(try await scene.messages().count == 1)
      let claim = try await scene.store.read { records in
        try await records.starterClaims.find(identity: "ann@example.com")
      }
      #expect(claim?.hasPurchasedStarterPack == true)
      #expect(claim?.userID == "u1")
      #expect(claim?.starterTransactionID == CreditScene.x)
      #expect(claim?.starterPurchasedDate == scene.appStore.now)
    }
  }

  @Test("row 29: X is refunded, then Y by the same identity: ineligible, also after a reversal")
  func refunded() async throws {
    try await CreditScene.run { (scene) async throws in
      #expect(try await buy(scene, CreditScene.x, by: "u1") == nil)
      let transaction = scene.transaction(of: CreditScene.welcome)
      #expect(try await scene.notify(.refund, transaction) == .clawedBack)
      #expect(try await buy(scene, CreditScene.y, by: "u1") == .refused(.starterIneligible))
      #expect(try await scene.notify(.refundReversed, transaction) == .restored)
      #expect(try await buy(scene, CreditScene.y, by: "u1") == .refused(.starterIneligible))
    }
  }

  @Test("a refund that came first marks no claim, so the identity stays eligible")
  func pendingRefund() async throws {
    try await CreditScene.run { (scene) async throws in
      let transaction = scene.transaction(of: CreditScene.welcome)
      #expect(try await scene.notify(.refund, transaction) == .pending)
      #expect(try await buy(scene, CreditScene.x, by: "u1") == .refused(.revoked))
      #expect(try await buy(scene, CreditScene.y, by: "u1") == nil)
    }
  }

  @Test("without an address, the identity is the user")
  func withoutAddress() async throws {
    try await CreditScene.run {
      $0.accounts.emails = ["u2": " \t\n"]
    } _: { (scene) async throws in
      #expect(try await buy(scene, CreditScene.x, by: "u1") == nil)
      #expect(try await buy(scene, CreditScene.y, by: "u2") == nil)
      #expect(try await buy(scene, "2000000900000003", by: "u1") == .refused(.starterIneligible))
      #expect(try await buy(scene, "2000000900000004", by: "u2") == .refused(.starterIneligible))
      let claims = try await scene.store.read { records in
        [
          try await records.starterClaims.find(identity: "user:u1"),
          try await records.starterClaims.find(identity: "user:u2"),
        ]
      }
      #expect(claims.map { $0?.starterTransactionID } == [CreditScene.x, CreditScene.y])
    }
  }

  @Test("dots and plus signs make another address")
  func noTricks() async throws {
    try await CreditScene.run {
      $0.accounts.emails = [
        "u1": "a.nn@example.com", "u2": "ann@example.com", "u3": "ann+1@example.com",
      ]
    } _: { (scene) async throws in
      for (number, user) in (["u1", "u2", "u3"] as [AccountID]).enumerated() {
        #expect(try await buy(scene, "200000090000001\(number)", by: user) == nil)
      }
    }
  }

  @Test("a host's own identity counts; an empty one is the user")
  func ownIdentity() async throws {
    try await CreditScene.run {
      $0.accounts.emails = ["u1": "a@example.com", "u2": "b@example.com"]
      $0.options.identity = { email, _ in
        email.map { String($0.split(separator: "@").last ?? "") } ?? ""
      }
    } _: { (scene) async throws in
      #expect(try await buy(scene, CreditScene.x, by: "u1") == nil)
      #expect(try await buy(scene, CreditScene.y, by: "u2") == .refused(.starterIneligible))
      #expect(try await buy(scene, "2000000900000003", by: "u3") == nil)
      #expect(try await buy(scene, "2000000900000004", by: "u4") == nil)
      #expect(try await buy(scene, "2000000900000005", by: "u3") == .refused(.starterIneligible))
    }
  }

  @Test("all starter products count together, in all environments, and a quantity is one purchase")
  func together() async throws {
    try await CreditScene.run {
      $0.products.append(
        CreditProduct(
          code: "hello_pack", appStoreProductID: "com.example.gems.hello", credits: 10,
          type: .starter))
    } _: { (scene) async throws in
      let sandbox = scene.transaction(of: CreditScene.welcome) {
        $0.environment = .sandbox
        $0.quantity = 2
      }
      #expect(try await scene.verify(sandbox).creditsAdded == 120)
      #expect(try await scene.verify(sandbox).status == .alreadyGranted)
      #expect(try await buy(scene, CreditScene.x, by: "u1") == .refused(.starterIneligible))
      let other = scene.transaction(CreditScene.y, of: "com.example.gems.hello")
      #expect(
        try await creditFailure { try await scene.verify(other, as: "hello_pack") }
          == .refused(.starterIneligible))
      #expect(try await scene.verify(scene.transaction(CreditScene.y)).status == .granted)
    }
  }
}
