internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ServerAPICall {
  /// Answers with a page of the transaction history, version 2: finished consumables included.
  func history() throws -> ServerAPIAnswer { try history("history") { _ in true } }

  /// Answers with a page of the transaction history, version 1, which Apple's own clients still ask
  /// for by default: without finished consumables, unless they were refunded.
  ///
  /// Source: Apple, Get Transaction History V1.
  func historyV1() throws -> ServerAPIAnswer {
    try history("historyV1") { !$0.isFinished || $0.cancellationDate != nil }
  }

  private func history(
    _ scope: String, _ isListed: (SimulatedTransaction) -> Bool
  ) throws -> ServerAPIAnswer {
    let customer = try customer()
    let filter = try HistoryFilter(self)
    let page = try RevisionPage(
      of: store.transactions(of: customer).filter { filter.includes($0) && isListed($0) },
      scope: "\(scope) \(customer) \(filter.key)", isDescending: filter.isDescending, for: self)
    return .json(try page.members(signedBy: self).merging(appMembers) { one, _ in one })
  }

  func transactionInfo() throws -> ServerAPIAnswer {
    .json(["signedTransactionInfo": .string(try signed(try transaction()))])
  }

  /// Answers with the purchase of the app itself.
  func appTransaction() throws -> ServerAPIAnswer {
    let customer = try customer()
    return .json([
      "signedAppTransactionInfo": .string(
        try appStore.signedDataAuthority.sign(appStore.appTransaction(of: customer, in: store)))
    ])
  }

  /// Answers with the newest transaction and the renewal info of each subscription of a customer.
  func statuses() throws -> ServerAPIAnswer {
    let customer = try customer()
    let wanted = try values("status").map { (text) throws(ServerAPIRefusal) in
      guard let status = Int(text), (1...5).contains(status) else {
        throw ServerAPIRefusal(4_000_031)
      }
      return status
    }
    let moment = moment(of: customer)
    var groups: [String: [JSONValue]] = [:]
    for id in Set(moment.transactions.map(\.originalID)).sorted() {
      guard let latest = moment.latest(id), let group = latest.group,
        let status = moment.status(id)?.rawValue, wanted.isEmpty || wanted.contains(status)
      else { continue }
      var item: [String: JSONValue] = [
        "status": .integer(status), "originalTransactionId": .string(String(id)),
        "signedTransactionInfo": .string(try signed(latest)),
      ]
      item["signedRenewalInfo"] = try signedRenewalInfo(of: latest).map(JSONValue.string)
      groups[group, default: []].append(.object(item))
    }
    var members = appMembers
    members["data"] = .array(
      groups.sorted { $0.key < $1.key }.map { group, items in
        .object(["subscriptionGroupIdentifier": .string(group), "lastTransactions": .array(items)])
      })
    return .json(members)
  }

  /// Answers with a page of a customer's refunded transactions.
  func refunds() throws -> ServerAPIAnswer {
    let customer = try customer()
    let refunded = store.transactions(of: customer).filter {
      $0.cancellationDate != nil && $0.ownership == .purchased
    }
    let page = try RevisionPage(of: refunded, scope: "refunds \(customer)", for: self)
    return .json(try page.members(signedBy: self))
  }

  /// Answers with the transactions of an order; Production only.
  func order() throws -> ServerAPIAnswer {
    guard server == .production else { throw ServerAPIRefusal.unknownCall }
    let id = parameter("id")
    guard (5...20).contains(id.utf8.count),
      id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { throw ServerAPIRefusal(4_000_000) }
    let found = store.transactions.filter { $0.orderID == id.uppercased() }
    guard !found.isEmpty else { return .json(["status": .integer(1)]) }
    return .json(["status": .integer(0), "signedTransactions": try signed(found)])
  }

  /// Finishes a transaction; a finished consumable leaves later receipts.
  func finish() throws -> ServerAPIAnswer {
    let transaction = try transaction()
    try? appStore.changeStore { store, _ in
      store.change(transaction.id) { $0.isFinished = $0.product.kind == .consumable }
    }
    return .empty
  }

  /// Sets the account token of a purchase.
  ///
  /// It applies to the newest transaction, from which renewals and changes of the product take it;
  /// older transactions keep theirs. Source: App Store Server API rules, section 5.9.
  func setAccountToken() throws -> ServerAPIAnswer {
    let named = try transaction(or: .unknownOriginalTransaction)
    guard named.id == named.originalID else { throw ServerAPIRefusal(4_000_187) }
    guard let text = try body()["appAccountToken"]?.text, let token = UUID(uuidString: text) else {
      throw ServerAPIRefusal(4_000_183)
    }
    if let refusal = named.sharingRefusal { throw refusal }
    try? appStore.changeStore { store, _ in
      guard let latest = store.latest(named.originalID) else { return }
      store.change(latest.id) { $0.appAccountToken = token }
    }
    return .empty
  }
}

extension AppStoreSimulator {
  /// Returns a customer's purchase of the app, as Apple's servers sign it.
  func appTransaction(of customer: String, in store: SimulatedStore) -> AppTransaction {
    var transaction = AppTransaction()
    transaction.receiptType = environment
    transaction.appAppleID = environment == .production ? appAppleID : nil
    transaction.bundleID = bundleID
    transaction.originalApplicationVersion = "1.0"
    transaction.originalPurchaseDate = Date(timeIntervalSince1970: 1_375_340_400)
    transaction.originalPlatform = .iOS
    transaction.receiptCreationDate = now
    transaction.appTransactionID = store.appTransactionID(of: customer).map { String($0) }
    return transaction
  }
}

extension ServerAPIRoute {
  /// The calls about the purchases of a customer: section 2.1 of the App Store Server API rules.
  static let purchases: [ServerAPIRoute] = [
    ServerAPIRoute(.get, "inApps/v2/history/{id}", limit: 50) { try $0.history() },
    ServerAPIRoute(.get, "inApps/v1/history/{id}", limit: 50) { try $0.historyV1() },
    ServerAPIRoute(.get, "inApps/v1/transactions/appTransactions/{id}", limit: 50) {
      try $0.appTransaction()
    },
    ServerAPIRoute(.get, "inApps/v1/transactions/{id}", limit: 50) { try $0.transactionInfo() },
    ServerAPIRoute(.get, "inApps/v1/subscriptions/{id}", limit: 50) { try $0.statuses() },
    ServerAPIRoute(.get, "inApps/v2/refund/lookup/{id}", limit: 10) { try $0.refunds() },
    ServerAPIRoute(.get, "inApps/v1/lookup/{id}", limit: 10) { try $0.order() },
    ServerAPIRoute(.post, "inApps/v1/transactions/{id}/finish", limit: 50) { try $0.finish() },
    ServerAPIRoute(.put, "inApps/v1/transactions/{id}/appAccountToken", limit: 20) {
      try $0.setAccountToken()
    },
    ServerAPIRoute(.put, "inApps/v2/transactions/consumption/{id}", limit: 50) {
      try $0.consumption()
    },
    ServerAPIRoute(.put, "inApps/v1/transactions/consumption/{id}", limit: 50) {
      try $0.consumptionV1()
    },
  ]
}
