internal import AppStoreServerAPI
internal import CreditPolicy
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

/// What is stored under a text that support was told.
struct DeskSearch: Sendable {
  /// The accounts that were found, each once.
  private(set) var accounts: [AccountID] = []
  /// The purchases that were found, each once, with those that have them.
  private(set) var purchases: [HeldPurchase] = []

  /// Whether Apple was asked and did not answer.
  var isAppleSilent = false

  var isEmpty: Bool { accounts.isEmpty && purchases.isEmpty }

  /// The only account to show, if there is nothing to choose from.
  var onlyAccount: AccountID? {
    let owners = Set(accounts + purchases.flatMap(\.owners))
    return owners.count == 1 ? owners.first : nil
  }

  /// The most purchases that are found, so that one text costs little.
  private static let limit = 10

  mutating func add(_ account: AccountID) {
    if !accounts.contains(account) { accounts.append(account) }
  }

  mutating func add(
    _ id: String, in environment: AppStoreEnvironment, _ records: UnitOfWork
  ) async throws {
    let isThere = purchases.contains { $0.id.isSameText(as: id) && $0.environment == environment }
    guard !isThere, purchases.count < Self.limit else { return }
    let purchase = try await HeldPurchase.load(id, in: environment, records)
    guard purchase.history != nil || purchase.subscription != nil || !purchase.owners.isEmpty
    else { return }
    purchases.append(purchase)
  }
}

extension Desk {
  /// Finds accounts and purchases by an account, an e-mail address, a transaction, or an order.
  ///
  /// A number of Apple's receipt that is no transaction is asked of Apple.
  ///
  /// - Throws: An error of the store or of the host's accounts.
  func search(_ text: String) async throws -> DeskSearch {
    let text = String(text.trimmed)
    var found = DeskSearch()
    if let id = try? AccountID(opaque: text) {
      if let account = try await context.accounts.account(knownAs: id) {
        found.add(account.id)
      } else if try await !file(of: id, at: nil).isEmpty {
        // The host may have forgotten an account of which rows are left.
        found.add(id)
      }
      if let account = try await context.accounts.account(markedBy: text) { found.add(account.id) }
    }
    let hasCredits = credits != nil
    let ids = purchaseIDs(for: text)
    let known = found
    found = try await read { records in
      var found = known
      if hasCredits, text.contains("@"), let id = try? AccountID(opaque: text) {
        let identity = StarterIdentity.identity(email: text, userID: id)
        if let user = try await records.starterClaims.find(identity: identity)?.userID {
          found.add(user)
        }
      }
      for environment in [AppStoreEnvironment.production, .sandbox] {
        for id in ids {
          try await found.add(id, in: environment, records)
          let originals = try await records.purchases.originalTransactionIDs(
            ofTransactions: [id], environment: environment)
          for original in originals { try await found.add(original, in: environment, records) }
          guard hasCredits else { continue }
          let pack = try await records.creditTransactions.find(
            transactionID: id, environment: environment)
          if let user = pack?.userID { found.add(user) }
        }
      }
      return found
    }
    guard found.isEmpty, isOrderNumber(text) else { return found }
    for appStore in appStores {
      guard let answer = try? await appStore.lookUpOrderID(text) else {
        found.isAppleSilent = true
        continue
      }
      let ids = answer.transactions.compactMap(\.payload.originalTransactionID)
      if !ids.isEmpty { return try await search(for: (ids, .production)) }
    }
    return found
  }

  /// Finds the purchases that evidence shows, which is verified first.
  ///
  /// - Throws: `EvidenceFailure`, or an error of the store.
  func search(evidence text: String) async throws -> DeskSearch {
    let verifier = EvidenceVerifier(
      context, appStore: subscriptions?.appStore ?? entitlements?.appStore)
    let facts = try await verifier.facts(of: PurchaseEvidence(ofApple: String(text.trimmed)))
    return try await search(for: (facts.originalTransactionIDs, facts.environment))
  }

  private func search(
    for purchases: (ids: [String], environment: AppStoreEnvironment)
  ) async throws -> DeskSearch {
    try await read { records in
      var found = DeskSearch()
      for id in purchases.ids { try await found.add(id, in: purchases.environment, records) }
      return found
    }
  }

  /// The identifiers under which a purchase can be stored that a text names.
  ///
  /// A charge of Google's is stored under its order and its product.
  private func purchaseIDs(for text: String) -> [String] {
    if TransactionIDs.areStorable(text) { return [text] }
    let order = TransactionIDs.google(text)
    let plans = subscriptions?.products.plans.keys.map { String($0.prefix { $0 != ":" }) } ?? []
    let packs = credits?.products.enabled.compactMap(\.googlePlayProductID) ?? []
    let products = Set(plans + packs).sorted().map { "\(order):\($0)" }
    return ([order, TransactionIDs.googleOriginal(of: text)] + products).compactMap(\.self)
      .filter(TransactionIDs.areStorable)
  }

  /// Whether a text has the form of the order numbers on Apple's receipts: an M, then capital letters and digits.
  private func isOrderNumber(_ text: String) -> Bool {
    (8...16).contains(text.utf8.count) && text.hasPrefix("M")
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }
}
