import Foundation
import Storekeeper
import StorekeeperTesting
import Testing

/// Source: credit rules, section 9 (rows 3, 5, 22, 23, 24 and 30).
@Suite("Credits at the same time", .onEveryStore)
struct CreditRaceTests {
  private static let rounds = 30

  private typealias Attempt = Result<CreditGrant, CreditFailure>

  /// Runs calls at the same time; their results, in order.
  private func atOnce<Value: Sendable>(
    _ calls: [@Sendable () async throws -> Value]
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      for (index, call) in calls.enumerated() {
        group.addTask { (index, try await call()) }
      }
      let values = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      return calls.indices.compactMap { values[$0] }
    }
  }

  /// The result of asking for a purchase.
  private func attempt(
    _ scene: CreditScene, _ transaction: Transaction, by user: AccountID
  ) async throws -> Attempt {
    do {
      return .success(try await scene.verify(transaction, by: user))
    } catch let failure as CreditFailure {
      return .failure(failure)
    }
  }

  private func id(_ round: Int, _ number: Int = 0) -> String { "20000009\(1000 + round)\(number)" }
  private func user(_ round: Int, _ number: Int = 0) -> AccountID {
    AccountID(stored: "user-\(round)-\(number)")
  }

  @Test("row 3: 50 identical calls at once: one granted, 49 already granted, one entry")
  func identical() async throws {
    try await CreditScene.run { (scene) async throws in
      for product in [CreditScene.welcome, CreditScene.big] {
        let isStarter = product == CreditScene.welcome
        let transaction = scene.transaction(isStarter ? CreditScene.x : CreditScene.y, of: product)
        let before = try await scene.balance()
        let results = try await atOnce(
          Array(repeating: { try await attempt(scene, transaction, by: "u1") }, count: 50))
        let grants = results.compactMap { try? $0.get() }
        #expect(grants.count { $0.status == .granted } == 1)
        #expect(grants.count { $0.status == .alreadyGranted } == 49)
        let after = before + (isStarter ? 60 : 500)
        #expect(grants.allSatisfy { $0.newBalance == after })
        #expect(try await scene.balance() == after)
      }
      #expect(try await scene.entries().count == 2)
    }
  }

  @Test("row 5: u1 and u2 verify X at the same moment: one granted, one conflict")
  func twoUsers() async throws {
    try await CreditScene.run { (scene) async throws in
      for round in 0..<Self.rounds {
        let transaction = scene.transaction(id(round))
        let users = [user(round, 1), user(round, 2)]
        let results = try await atOnce(
          users.map { user in { try await attempt(scene, transaction, by: user) } })
        #expect(results.count { (try? $0.get())?.status == .granted } == 1)
        #expect(results.count { $0 == .failure(.refused(.conflict)) } == 1)
        var sum = 0
        for user in users { sum += try await scene.balance(of: user) }
        #expect(sum == 500)
      }
    }
  }

  @Test("row 30: two starter transactions of one identity at once: one granted, one ineligible")
  func twoStarters() async throws {
    try await CreditScene.run {
      $0.accounts.emails = Dictionary(
        uniqueKeysWithValues: (0..<Self.rounds).flatMap { round in
          [
            (user(round, 1), " Ann\(round)@example.com"),
            (user(round, 2), "ann\(round)@EXAMPLE.com"),
          ]
        })
    } _: { (scene) async throws in
      for round in 0..<Self.rounds {
        // Two users with one address in one round, one user in the next.
        let users = [user(round, 1), user(round, round.isMultiple(of: 2) ? 2 : 1)]
        let results = try await atOnce(
          users.indices.map { number in
            {
              let transaction = scene.transaction(id(round, number), of: CreditScene.welcome)
              return try await attempt(scene, transaction, by: users[number])
            }
          })
        #expect(results.count { (try? $0.get())?.status == .granted } == 1)
        #expect(results.count { $0 == .failure(.refused(.starterIneligible)) } == 1)
        let rows = [try await scene.row(id(round, 0)), try await scene.row(id(round, 1))]
        #expect(rows.count { $0 != nil } == 1)
      }
      #expect(
        try await scene.messages().count { $0.kind == .starterRefused } == Self.rounds)
    }
  }

  @Test("row 22: verify X and REFUND X at the same moment: never credits kept")
  func refundAndVerify() async throws {
    try await CreditScene.run { (scene) async throws in
      for round in 0..<Self.rounds {
        let transaction = scene.transaction(id(round))
        let user = user(round)
        let uuid = "race-\(round)"
        let token = try scene.notification(.refund, transaction, uuid: uuid)
        async let notified: Void = scene.notifications.receive(creditPayload: token)
        async let attempted = attempt(scene, transaction, by: user)
        let result = try await attempted
        try await notified
        let outcome = try await scene.recorded(uuid)?.outcome
        switch result {
        case .success(let grant):
          #expect(grant.status == .granted)
          #expect(outcome == .clawedBack)
          #expect(try await scene.row(id(round))?.status == .refunded)
        case .failure(let failure):
          #expect(failure == .refused(.revoked))
          #expect(outcome == .pending)
          #expect(try await scene.row(id(round))?.status == .revokedPending)
        }
        #expect(try await scene.balance(of: user) == 0)
      }
    }
  }

  @Test("row 23: 20 copies of one REFUND at once: one entry", arguments: [false, true])
  func copies(withSubscriptions: Bool) async throws {
    try await CreditScene.run {
      $0.hasSubscriptions = withSubscriptions
      $0.products.append(
        CreditProduct(code: "monthly", appStoreProductID: ServiceScene.monthly, credits: 30))
    } _: { (scene) async throws in
      for product in [CreditScene.big, ServiceScene.monthly] {
        let transaction = scene.transaction(
          product == CreditScene.big ? CreditScene.x : CreditScene.y, of: product
        ) {
          guard product == ServiceScene.monthly else { return }
          $0.type = .autoRenewableSubscription
          $0.expiresDate = ServiceScene.start + 30 * 86_400
        }
        _ = try await scene.verify(
          transaction, as: product == CreditScene.big ? "big_pack" : "monthly")
        let token = try scene.notification(.refund, transaction, uuid: product)
        _ = try await atOnce(
          Array(
            repeating: { try await scene.notifications.receive(creditPayload: token) }, count: 20))
        #expect(try await scene.recorded(product)?.outcome == .clawedBack)
        #expect(try await scene.balance() == 100)
      }
      #expect(try await scene.entries().count == 4)
    }
  }

  @Test("20 refunds with UUIDs of their own at once: one entry")
  func manyRefunds() async throws {
    try await CreditScene.run { (scene) async throws in
      for round in 0..<5 {
        let transaction = scene.transaction(id(round))
        if round > 0 { _ = try await scene.verify(transaction) }
        let tokens = try (0..<20).map { number in
          try scene.notification(
            number.isMultiple(of: 2) ? .refund : .revoke, transaction, uuid: "\(round)-\(number)")
        }
        _ = try await atOnce(
          tokens.map { token in { try await scene.notifications.receive(creditPayload: token) } })
        var outcomes: [NoticeOutcome: Int] = [:]
        for number in 0..<20 {
          let outcome = try #require(try await scene.recorded("\(round)-\(number)")?.outcome)
          outcomes[outcome, default: 0] += 1
        }
        #expect(outcomes == [round == 0 ? .pending : .clawedBack: 1, .noChange: 19])
        #expect(try await scene.balance() == 100)
      }
    }
  }

  @Test("row 24: REFUND while the user spends at the same moment: the ledger explains the balance")
  func spending() async throws {
    try await CreditScene.run { (scene) async throws in
      for round in 0..<Self.rounds {
        let transaction = scene.transaction(id(round))
        let user = user(round)
        _ = try await scene.verify(transaction, by: user)
        let token = try scene.notification(.refund, transaction, uuid: "spend-\(round)")
        let spent = try await atOnce(
          [
            {
              try await scene.notifications.receive(creditPayload: token)
              return 0
            }
          ]
            + [300, 150, 100, 40].map { amount in
              {
                let failure = try await creditFailure {
                  try await scene.give(-amount, to: user)
                }
                #expect(failure == nil || failure == .balanceInsufficient)
                return failure == nil ? amount : 0
              }
            }
        ).reduce(0, +)
        #expect(try await scene.balance(of: user) == 0)
        let refund = try #require(try await scene.entries(of: user).last)
        #expect(refund.booking.amount == spent - 500)
      }
    }
  }

  @Test("one event of the host's booked 50 times at once: one entry")
  func hostEvents() async throws {
    try await CreditScene.run { (scene) async throws in
      let entries = try await atOnce(
        Array(
          repeating: { try await scene.give(-7, to: "u1", event: "render:1") }, count: 50))
      #expect(Set(entries).count == 1)
      #expect(try await scene.balance() == 93)
      // Two users who are new at that moment.
      let users = try await atOnce(
        (0..<50).map { number in
          { try await scene.give(1, to: number.isMultiple(of: 2) ? "new-1" : "new-2") }
        })
      #expect(Set(users.map(\.balanceAfter)) == Set(1...25))
    }
  }
}
