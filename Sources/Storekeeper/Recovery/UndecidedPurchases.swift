internal import PurchaseStorage
internal import ReceiptModels

/// One of a store's servers, as it answers for one app.
struct PurchaseServer: Hashable, Sendable {
  let vendor: Vendor
  let environment: AppStoreEnvironment
  /// The place of the app among those that are asked; 0 of a single one.
  var app = 0
}

/// A purchase about which a server gave no answer, or a refusal that may be meant for all purchases.
struct UndecidedPurchase: Error {
  let key: ReceiptCursor
  let server: PurchaseServer
  let failure: any Error

  /// Whether there was no answer, and not a refusal.
  var isOutage: Bool { AskingFailure(failure).isOutage }
}

/// The purchases of a walk about which there was no answer, until it is known whether the reason lies in them or in the
/// server.
///
/// It lies in them if the server answers about another purchase now, be it that it does not know it. Fewer than three
/// refusals of a server are theirs also where it answers about no other one.
struct UndecidedPurchases {
  private var waiting: [UndecidedPurchase] = []
  /// For each server a purchase about which it has an answer.
  private var controls: [PurchaseServer: ReceiptCursor] = [:]

  var isEmpty: Bool { waiting.isEmpty }

  var count: Int { waiting.count }

  var first: UndecidedPurchase? { waiting.first }

  /// Whether so many questions had no answer that none should be asked before the reason is known.
  var isMany: Bool { waiting.count(where: \.isOutage) > 2 }

  /// Whether another purchase shows whether the server answers.
  var isDecidable: Bool { waiting.allSatisfy { controls[$0.server] != nil } }

  mutating func add(_ purchase: UndecidedPurchase) { waiting.append(purchase) }

  /// Notes a purchase about which a server has just answered.
  mutating func noteAnswer(about key: ReceiptCursor, by server: PurchaseServer) {
    controls[server] = key
  }

  /// Notes a purchase about which a server answered some time ago, where no other one is known.
  mutating func noteEarlierAnswer(about key: ReceiptCursor, by server: PurchaseServer) {
    if controls[server] == nil { controls[server] = key }
  }

  /// The servers that were asked about these purchases, and that have answered about no other one.
  var serversWithoutAnswer: Set<PurchaseServer> {
    Set(waiting.map(\.server)).filter { controls[$0] == nil }
  }

  /// Passes over the purchases, if the reason lies in them; those without an answer are asked about once more, between
  /// two questions about another purchase.
  ///
  /// - Parameters:
  ///   - isAnswered: Returns whether a server answers about a purchase now.
  ///   - askAgain: Asks about a purchase, and notes an answer; returns the purchase with its failure if there is none.
  ///   - passOver: Notes that there is no answer about a purchase.
  /// - Throws: The failure of a purchase, if the reason lies in the server; errors of the closures.
  mutating func judge(
    isAnswered: nonisolated(nonsending) (ReceiptCursor, PurchaseServer) async throws -> Bool,
    askAgain: nonisolated(nonsending) (UndecidedPurchase) async throws -> UndecidedPurchase?,
    passOver: (UndecidedPurchase) -> Void
  ) async throws {
    let refusals = waiting.filter { !$0.isOutage }.map(\.server)
    for purchase in waiting {
      let control = controls[purchase.server]
      let isCommon = refusals.count { $0 == purchase.server } > 2
      guard purchase.isOutage || control != nil || isCommon else {
        passOver(purchase)
        continue
      }
      guard let control, try await isAnswered(control, purchase.server) else {
        throw purchase.failure
      }
      guard purchase.isOutage else {
        passOver(purchase)
        continue
      }
      guard let again = try await askAgain(purchase) else { continue }
      guard let control = controls[again.server], try await isAnswered(control, again.server)
      else { throw again.failure }
      passOver(again)
    }
    waiting = []
  }
}
