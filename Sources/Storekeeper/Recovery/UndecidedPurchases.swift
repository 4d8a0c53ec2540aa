internal import AppStoreServerAPI
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
/// It lies in them if the server answers about another purchase now, be it that it does not know it. Where there is no
/// other one to ask about, fewer than three refusals of a server are theirs.
struct UndecidedPurchases {
  private var waiting: [UndecidedPurchase] = []
  /// For each server the purchase about which it answered last.
  private var controls: [PurchaseServer: ReceiptCursor] = [:]

  /// The number of other purchases that are asked about before a server counts as silent.
  private static let mostControls = 3

  var isEmpty: Bool { waiting.isEmpty }

  var count: Int { waiting.count }

  var first: UndecidedPurchase? { waiting.first }

  /// Whether a server gave no answer so often that it should be asked no more before the reason is known.
  var isMany: Bool { isMany { $0.isOutage } }

  /// Whether it is time to decide: for each server another purchase is known to ask about, or three of one server wait.
  var isDue: Bool {
    isMany { _ in true } || waiting.allSatisfy { controls[$0.server] != nil }
  }

  private func isMany(_ counts: (UndecidedPurchase) -> Bool) -> Bool {
    Dictionary(grouping: waiting.filter(counts), by: \.server).contains { $0.value.count > 2 }
  }

  mutating func add(_ purchase: UndecidedPurchase) { waiting.append(purchase) }

  /// Notes a purchase about which a server has just answered.
  mutating func noteAnswer(about key: ReceiptCursor, by server: PurchaseServer) {
    controls[server] = key
  }

  /// Passes over the purchases, if the reason lies in them; those without an answer are asked about once more, between
  /// two questions about another purchase.
  ///
  /// - Parameters:
  ///   - page: Returns the purchases of the walk after a place, some at a time; of the first ten pages others are asked
  ///     about.
  ///   - isAnswered: Returns whether a server answers about a purchase now.
  ///   - askAgain: Asks about a purchase, and notes an answer; returns the purchase with its failure if there is none.
  ///   - passOver: Notes that there is no answer about a purchase.
  /// - Throws: The failure of a purchase, if the reason lies in the server; errors of the closures.
  mutating func judge(
    page: nonisolated(nonsending) (ReceiptCursor?) async throws -> [ReceiptCursor],
    isAnswered: nonisolated(nonsending) (ReceiptCursor, PurchaseServer) async throws -> Bool,
    askAgain: nonisolated(nonsending) (UndecidedPurchase) async throws -> UndecidedPurchase?,
    passOver: (UndecidedPurchase) -> Void
  ) async throws {
    let refusals = waiting.filter { !$0.isOutage }.map(\.server)
    for purchase in waiting {
      switch try await answers(purchase.server, page, isAnswered) {
      case nil where !purchase.isOutage && refusals.count { $0 == purchase.server } < 3:
        passOver(purchase)
      case nil, false?: throw purchase.failure
      case true? where !purchase.isOutage: passOver(purchase)
      case true?:
        guard let again = try await askAgain(purchase) else { continue }
        guard try await answers(again.server, page, isAnswered) == true else {
          throw again.failure
        }
        passOver(again)
      }
    }
    waiting = []
  }

  /// Whether a server answers now about purchases other than those that wait; nil where ten pages have none.
  private mutating func answers(
    _ server: PurchaseServer,
    _ page: nonisolated(nonsending) (ReceiptCursor?) async throws -> [ReceiptCursor],
    _ isAnswered: nonisolated(nonsending) (ReceiptCursor, PurchaseServer) async throws -> Bool
  ) async throws -> Bool? {
    if let control = controls[server], try await isAnswered(control, server) { return true }
    let others = try await others(of: server, page)
    for key in others where try await isAnswered(key, server) {
      controls[server] = key
      return true
    }
    return others.isEmpty && controls[server] == nil ? nil : false
  }

  private func others(
    of server: PurchaseServer,
    _ page: nonisolated(nonsending) (ReceiptCursor?) async throws -> [ReceiptCursor]
  ) async throws -> [ReceiptCursor] {
    let silent = Set(waiting.map(\.key))
    var found: [ReceiptCursor] = []
    var cursor: ReceiptCursor?
    for _ in 0..<10 where found.count < Self.mostControls {
      let keys = try await page(cursor)
      found += keys.filter { key in
        key.environment == server.environment && !silent.contains(key)
          && TransactionIDs.vendor(of: key.originalTransactionID) == server.vendor
      }
      guard let last = keys.last else { break }
      cursor = last
    }
    return Array(found.prefix(Self.mostControls))
  }
}

extension AppStoreServerClient {
  /// Whether Apple answers about a purchase now, be it that it does not know it; nothing is recorded.
  ///
  /// Both its history and its statuses are asked for, as one of them alone may be out of order.
  ///
  /// - Throws: An `AppStoreServerFailure` that somebody has to mend; `CancellationError`.
  func answers(about key: ReceiptCursor) async throws -> Bool {
    let (id, environment) = (key.originalTransactionID, key.environment)
    var history = transactionHistory(of: id, in: environment).makeAsyncIterator()
    do throws(AppStoreServerFailure) {
      _ = try await history.next()
    } catch {
      guard try isAnswer(error) else { return false }
    }
    do throws(AppStoreServerFailure) {
      _ = try await allSubscriptionStatuses(of: id, in: environment)
    } catch {
      return try isAnswer(error)
    }
    return true
  }

  private func isAnswer(_ failure: AppStoreServerFailure) throws -> Bool {
    try Task.checkCancellation()
    switch AskingFailure(failure) {
    case .refusal: return true
    case .outage, .fatalIfCommon: return false
    case .fatal: throw failure
    }
  }
}
