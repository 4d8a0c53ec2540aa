internal import HTTPMessages
internal import JSONValues
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import Storekeeper

// The routes of the contract of 2019, which links and unlinks by receipt (linking rules, sections
// 6.3 and 6.5).
enum LegacyRoutes {
  static let all: [Route<SubscriptionAPI>] = [
    Route(path: "/apple/verify-receipt", operations: [acceptReceipt]),
    Route(path: "/apple/link", operations: [linkByReceipt, unlinkByReceipt]),
  ]

  private static let acceptReceipt = SubscriptionOperation(
    method: .post, readsBody: true, fixesFailures: true
  ) { api, call in
    _ = try await api.facts(of: call)
    return .noContent
  }

  private static let linkByReceipt = SubscriptionOperation(
    method: .post, user: .required, readsBody: true, fixesFailures: true
  ) { api, call in
    // Recorded even if the account does not exist.
    let subscription = try await api.record(
      .receipt(call.legacyReceipt()), startingAt: call.server
    ).subscription
    var subscriptions = api.subscriptions
    subscriptions.options.replacement = .expiredOnly
    let membership = try await subscriptions.link(
      primaryID: call.primaryID.map { text in try SubscriptionCall.accountID(text) },
      secondID: call.secondID.map { text in try SubscriptionCall.accountID(text) },
      to: subscription.originalTransactionID)
    return .json(api.body(of: membership).legacyJSON)
  }

  private static let unlinkByReceipt = SubscriptionOperation(
    method: .delete, user: .optional, readsBody: true, fixesFailures: true
  ) { api, call in
    let facts = try await api.facts(of: call)
    guard call.primaryID != nil || call.secondID != nil else {
      try await api.subscriptions.unlinkAll(facts.originalTransactionIDs, from: nil)
      return .noContent
    }
    // The request names an account; if it does not exist, there is nothing to unlink.
    if let account = try await api.account(of: call) {
      try await api.subscriptions.unlinkAll(facts.originalTransactionIDs, from: account)
    }
    return .noContent
  }
}

extension SubscriptionAPI {
  /// Verifies the receipt of a request and records its facts; an unknown product is no error.
  fileprivate func facts(of call: SubscriptionCall) async throws -> PurchaseFacts {
    let facts = try await self.facts(
      of: verified(.receipt(call.legacyReceipt()), startingAt: call.server))
    do {
      try await subscriptions.record(facts)
    } catch SubscriptionFailure.unknownProduct {}
    return facts
  }

  /// Returns the account that a request names, or nil if it does not exist or cannot exist.
  fileprivate func account(of call: SubscriptionCall) async throws -> Account? {
    do {
      return try await subscriptions.accounts.account(
        primaryID: call.primaryID.map { text in try SubscriptionCall.accountID(text) },
        secondID: call.secondID.map { text in try SubscriptionCall.accountID(text) })
    } catch RequestRefusal.unknownID {
      return nil
    }
  }
}

extension SubscriptionCall {
  /// Returns the receipt in the body.
  fileprivate func legacyReceipt() throws(RequestRefusal) -> String {
    guard let receipt = try body().text("receipt-data"), !receipt.isBlank else {
      throw .missing(.receipt)
    }
    return receipt
  }
}
