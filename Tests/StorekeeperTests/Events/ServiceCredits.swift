import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting

/// A host of credits, whose story is granted, spent, refunded and restored.
struct ServiceCredits {
  private let scene: CreditScene

  init() async throws { scene = try await CreditScene() }

  /// Plays the story, and returns the events of bookings in it.
  func story() async throws -> [PurchaseEvent] {
    let transaction = scene.transaction()
    _ = try await scene.verify(transaction)
    try await scene.give(-120, to: "u1")
    var refunded = transaction
    refunded.revocationDate = scene.appStore.now
    scene.appStore.clock.advance(by: .seconds(1))
    try await scene.notify(.refund, refunded)
    scene.appStore.clock.advance(by: .seconds(1))
    try await scene.notify(.refundReversed, transaction)
    return try await events(in: scene.store).filter { $0.amount != nil }
  }

  /// Plays the story, and returns the events of the purchase's refund in it.
  func refunds() async throws -> [PurchaseEvent] {
    _ = try await story()
    return try await events(in: scene.store).filter {
      [.purchaseRefunded, .purchaseRefundReversed].contains($0.kind)
    }
  }
}
