internal import HTTPMessages
internal import JSONValues
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import Storekeeper

// The contract of 2019, which links and unlinks by receipt (linking rules, sections 6.3 and 6.5).
extension SubscriptionAPI {
  static func legacyRoutes(askingFirst server: VerifyReceiptServer) -> [SubscriptionRoute] {
    func terms(_ user: SubscriptionTerms.UserFields) -> SubscriptionTerms {
      SubscriptionTerms(.legacy, user: user, fixesFailures: true)
    }
    return [
      SubscriptionRoute(
        .post, "/apple/verify-receipt", .caller, readsBody: true, terms: terms(.ignored)
      ) {
        try await $0.acceptReceipt($1, startingAt: server)
      },
      SubscriptionRoute(.post, "/apple/link", .caller, readsBody: true, terms: terms(.required)) {
        try await $0.linkByReceipt($1, startingAt: server)
      },
      SubscriptionRoute(.delete, "/apple/link", .caller, readsBody: true, terms: terms(.optional)) {
        try await $0.unlinkByReceipt($1, startingAt: server)
      },
    ]
  }

  private func acceptReceipt(
    _ call: SubscriptionCall, startingAt server: VerifyReceiptServer
  ) async throws -> HTTPResponseMessage {
    _ = try await facts(of: call, startingAt: server)
    return .noContent
  }

  private func linkByReceipt(
    _ call: SubscriptionCall, startingAt server: VerifyReceiptServer
  ) async throws -> HTTPResponseMessage {
    // Recorded even if the account does not exist.
    let subscription = try await record(
      .receipt(call.legacyReceipt()), startingAt: server
    ).subscription
    let user = try HeaderUser(call.request, under: .legacy)
    var subscriptions = self.subscriptions
    subscriptions.options.replacement = .expiredOnly
    let membership = try await subscriptions.link(
      primaryID: user.primaryID.map { text in try SubscriptionCall.accountID(text) },
      secondID: user.secondID.map { text in try SubscriptionCall.accountID(text) },
      to: subscription.originalTransactionID)
    return .json(body(of: membership).legacyJSON)
  }

  private func unlinkByReceipt(
    _ call: SubscriptionCall, startingAt server: VerifyReceiptServer
  ) async throws -> HTTPResponseMessage {
    let facts = try await self.facts(of: call, startingAt: server)
    let user = try HeaderUser(call.request, under: .legacy)
    guard user.primaryID != nil || user.secondID != nil else {
      try await subscriptions.unlinkAll(facts.originalTransactionIDs, from: nil)
      return .noContent
    }
    // The request names an account; if it does not exist, there is nothing to unlink.
    if let account = try await account(of: user) {
      try await subscriptions.unlinkAll(facts.originalTransactionIDs, from: account)
    }
    return .noContent
  }

  /// Verifies the receipt of a request and records its facts; an unknown product is no error.
  private func facts(
    of call: SubscriptionCall, startingAt server: VerifyReceiptServer
  ) async throws -> PurchaseFacts {
    let facts = try await self.facts(
      of: verified(.receipt(call.legacyReceipt()), startingAt: server))
    do {
      try await subscriptions.record(facts)
    } catch SubscriptionFailure.unknownProduct {}
    return facts
  }

  private func account(of user: HeaderUser) async throws -> Account? {
    do {
      return try await subscriptions.accounts.account(
        primaryID: user.primaryID.map { text in try SubscriptionCall.accountID(text) },
        secondID: user.secondID.map { text in try SubscriptionCall.accountID(text) })
    } catch RequestRefusal.unknownID {
      return nil
    }
  }
}

extension SubscriptionCall {
  fileprivate func legacyReceipt() throws(RequestRefusal) -> String {
    guard let receipt = try body().text("receipt-data"), !receipt.isBlank else {
      throw .missing(.receipt)
    }
    return receipt
  }
}
