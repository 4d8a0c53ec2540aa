import StoreSimulators
import Storekeeper
import Testing

@Suite("Users that race for one purchase", .onEveryStore)
struct EntitlementRaceTests {
  @Test("one of them gets it, and the others are refused")
  func race() async throws {
    let scene = try await DrawScene()
    for round in 0..<10 {
      let purchase = try scene.appStore.buy(DrawScene.id("frames"), by: "phone-\(round)")
      let token = try purchase.signedTransactionInfo
      let users = (0..<4).map { AccountID(stored: "round-\(round)-user-\($0)") }
      let winners = try await withThrowingTaskGroup(of: AccountID?.self) { group in
        for user in users {
          group.addTask {
            let refusal = try await entitlementFailure { try await scene.send(token, by: user) }
            guard let refusal else { return user }
            #expect(refusal == .linkedToOtherUser)
            return nil
          }
        }
        return try await group.reduce(into: [AccountID]()) { winners, winner in
          if let winner { winners.append(winner) }
        }
      }
      #expect(winners.count == 1)
      #expect(try await scene.association(of: purchase)?.userID == winners.first)
      #expect(try await scene.conflicts(about: purchase).count == 3)
      for user in users {
        #expect(try await scene.allowed(of: user).isEmpty == (user != winners.first))
      }
    }
  }
}
