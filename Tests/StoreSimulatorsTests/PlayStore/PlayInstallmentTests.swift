import Foundation
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: Google Play Developer API v3, InstallmentPlan and OfferPhase.
@Suite("Instalments and phases of offers at the Play store")
struct PlayInstallmentTests {
  private static func scene(_ installments: PlayInstallments) throws -> PlayScene {
    var plan = PlayBasePlan("parts", period: .days(30))
    plan.installments = installments
    return try PlayScene(products: [PlayProduct("reader_standard", .subscription([plan]))])
  }

  /// The payments that are left after each of so many further charges; nil where Google leaves the number out.
  private func left(
    _ scene: PlayScene, _ purchase: TestPlayPurchase, charges: Int
  ) async throws -> [Int?] {
    var left: [Int?] = [try await details(scene, purchase)?.left]
    for _ in 0..<charges {
      scene.advance(.days(30))
      _ = try scene.play.renew(purchase)
      left.append(try await details(scene, purchase)?.left)
    }
    return left
  }

  private func details(
    _ scene: PlayScene, _ purchase: TestPlayPurchase
  ) async throws -> (left: Int?, isPending: Bool)? {
    let item = try await scene.subscription(purchase)["lineItems"]?.first
    guard let plan = item?["autoRenewingPlan"]?["installmentDetails"] else { return nil }
    var left: Int?
    if case .integer(let number)? = plan["remainingCommittedPaymentsCount"] { left = number }
    return (left, plan["pendingCancellation"] != nil)
  }

  @Test("payments are counted, and a new commitment follows if the plan has one")
  func counted() async throws {
    let scene = try Self.scene(PlayInstallments(3, subsequent: 2))
    let purchase = try scene.play.acknowledge(scene.play.subscribe("reader_standard"))
    #expect(try await left(scene, purchase, charges: 5) == [2, 1, nil, 1, nil, 1])
    let once = try Self.scene(PlayInstallments(2))
    let other = try once.play.acknowledge(once.play.subscribe("reader_standard"))
    #expect(try await left(once, other, charges: 3) == [1, nil, nil, nil])
  }

  @Test("what a customer cancels ends with the last committed payment")
  func canceled() async throws {
    let scene = try Self.scene(PlayInstallments(3, subsequent: 3))
    let purchase = try scene.play.acknowledge(scene.play.subscribe("reader_standard"))
    _ = try scene.play.cancel(purchase)
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(try await details(scene, purchase)?.isPending == true)
    _ = try scene.play.restore(purchase)
    #expect(try await details(scene, purchase)?.isPending == false)
    _ = try scene.play.cancel(purchase)
    _ = try await left(scene, purchase, charges: 2)
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_CANCELED")
    #expect(throws: PlayStoreFailure.wrongState) { try scene.play.renew(purchase) }
  }

  @Test("the developer ends the payments at once")
  func endedByDeveloper() async throws {
    let scene = try Self.scene(PlayInstallments(3))
    let purchase = try scene.play.acknowledge(scene.play.subscribe("reader_standard"))
    _ = try scene.play.cancel(purchase, by: .developer)
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_CANCELED")
  }

  @Test("an offer's phase is that of the first period", arguments: PlayTerms.Phase.allCases)
  func phases(phase: PlayTerms.Phase) async throws {
    let scene = try PlayScene()
    var terms = PlayTerms(offer: "welcome")
    terms.firstPhase = phase
    let purchase = try scene.play.acknowledge(scene.play.subscribe("reader_standard", terms))
    let names = [
      PlayTerms.Phase.freeTrial: "freeTrial", .introductoryPrice: "introductoryPrice",
      .basePrice: "basePrice",
    ]
    let first = try await scene.subscription(purchase)["lineItems"]?.first?["offerPhase"]
    #expect(first == .object([try #require(names[phase]): .object([:])]))
    scene.advance(.days(30))
    _ = try scene.play.renew(purchase)
    let second = try await scene.subscription(purchase)["lineItems"]?.first?["offerPhase"]
    #expect(second == .object(["basePrice": .object([:])]))
  }
}
