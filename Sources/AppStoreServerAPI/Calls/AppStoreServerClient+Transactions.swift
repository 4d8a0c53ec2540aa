internal import JSONValues
public import JWSVerifier
public import ReceiptModels

extension AppStoreServerClient {
  /// Returns the transactions of a customer, finished consumables included.
  ///
  /// Apple is asked when the first element is awaited. The request is checked then, too. `revision` is
  /// one that was stored with the transactions before it, to read what is new or changed; with the same
  /// filters and the same customer only. `patience` holds for each page. Source: Apple, Get Transaction
  /// History, version 2.
  public func transactionHistory(
    of id: String, matching request: TransactionHistoryRequest = TransactionHistoryRequest(),
    since revision: String? = nil, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil, pageLimit: Int = 500
  ) -> TransactionHistory {
    TransactionHistory(
      pages: TransactionHistory.Pages(
        endpoint: .transactionHistory,
        first: PageCursor(startingAt: revision, limit: pageLimit), environment: environment
      ) { revision, environment async throws(AppStoreServerFailure) in
        let sent: ServerRequest
        do throws(InvalidRequest) {
          try request.validate()
          sent = ServerRequest(
            .transactionHistory,
            ["inApps", "v2", "history", try RequestPart.transactionID(id, field: "transactionId")],
            query: request.queryItems(revision: revision))
        } catch {
          throw AppStoreServerFailure(.invalidRequest(error), of: .transactionHistory)
        }
        return try await ask(sent, in: environment, patience: patience) {
          answer async throws(AppStoreServerFailure) in
          let page: HistoryResponse = try answer.decoded()
          try check(
            environment: page.environment, bundleID: page.bundleID, appAppleID: page.appAppleID,
            in: answer)
          return try await self.page(
            page.signedTransactions, page.revision, page.hasMore, in: answer)
        }
      }, keepsRevision: request.keepsRevision)
  }

  /// Returns the refunded and revoked purchases of a customer.
  ///
  /// `revision` is one that was stored with the refunds before it, to read later ones. `patience` holds
  /// for each page. Source: Apple, Get Refund History, version 2.
  public func refundHistory(
    of id: String, since revision: String? = nil, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil, pageLimit: Int = 500
  ) -> TransactionHistory {
    TransactionHistory(
      pages: TransactionHistory.Pages(
        endpoint: .refundHistory,
        first: PageCursor(startingAt: revision, limit: pageLimit), environment: environment
      ) { revision, environment async throws(AppStoreServerFailure) in
        let sent = ServerRequest(
          .refundHistory,
          ["inApps", "v2", "refund", "lookup", try transactionID(id, .refundHistory)],
          query: revision.map { [("revision", $0)] } ?? [])
        return try await ask(sent, in: environment, patience: patience) {
          answer async throws(AppStoreServerFailure) in
          let page: RefundHistoryResponse = try answer.decoded()
          return try await self.page(
            page.signedTransactions, page.revision, page.hasMore, in: answer)
        }
      }, keepsRevision: true)
  }

  /// Returns a transaction.
  ///
  /// `id` is a transaction ID, or an original transaction ID for its latest transaction. An answer with
  /// another transaction is refused. Source: Apple, Get Transaction Info.
  public func transactionInfo(
    _ id: String, in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Verified<Transaction> {
    let id = try transactionID(id, .transactionInfo)
    return try await ask(
      ServerRequest(.transactionInfo, ["inApps", "v1", "transactions", id]), in: environment,
      patience: patience
    ) { answer async throws(AppStoreServerFailure) in
      let info: TransactionInfoResponse = try answer.decoded()
      let transaction = try await verified(
        info.signedTransactionInfo, "signedTransactionInfo", as: .transaction, in: answer)
      guard
        transaction.payload.transactionID == id || transaction.payload.originalTransactionID == id
      else { throw answer.failure(.otherTransaction) }
      return transaction
    }
  }

  /// Returns the app transaction of a customer: the purchase of the app itself.
  ///
  /// Source: Apple, Get App Transaction Info.
  public func appTransactionInfo(
    of id: String, in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Verified<AppTransaction> {
    let id = try transactionID(id, .appTransactionInfo)
    return try await ask(
      ServerRequest(
        .appTransactionInfo, ["inApps", "v1", "transactions", "appTransactions", id]),
      in: environment, patience: patience
    ) { answer async throws(AppStoreServerFailure) in
      let info: AppTransactionInfoResponse = try answer.decoded()
      return try await verified(
        info.signedAppTransactionInfo, "signedAppTransactionInfo", as: .appTransaction,
        in: answer)
    }
  }

  /// Returns the statuses of all subscriptions of a customer.
  ///
  /// `statuses` are those to return, all if empty. A subscription whose data was refused is no failure;
  /// see ``SubscriptionStatuses/Item/refusal``. Source: Apple, Get All Subscription Statuses.
  public func allSubscriptionStatuses(
    of id: String, statuses: [SubscriptionStatus] = [], in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> SubscriptionStatuses {
    let id = try transactionID(id, .allSubscriptionStatuses)
    guard statuses.allSatisfy(\.isKnown) else {
      throw AppStoreServerFailure(
        .invalidRequest(InvalidRequest("status", .notAccepted)), of: .allSubscriptionStatuses)
    }
    return try await ask(
      ServerRequest(
        .allSubscriptionStatuses, ["inApps", "v1", "subscriptions", id],
        query: statuses.map { ("status", String($0.rawValue)) }),
      in: environment, patience: patience
    ) { answer async throws(AppStoreServerFailure) in
      let response: StatusResponse = try answer.decoded()
      try check(
        environment: response.environment, bundleID: response.bundleID,
        appAppleID: response.appAppleID, in: answer)
      var groups: [SubscriptionStatuses.Group] = []
      for group in response.data ?? [] {
        var items: [SubscriptionStatuses.Item] = []
        for item in group.lastTransactions ?? [] {
          items.append(try await self.item(item, in: answer))
        }
        groups.append(
          SubscriptionStatuses.Group(
            subscriptionGroupIdentifier: group.subscriptionGroupIdentifier, items: items))
      }
      return SubscriptionStatuses(groups: groups, environment: answer.environment)
    }
  }

  /// Returns the purchases of the order number on a customer's receipt from Apple.
  ///
  /// Only Production knows order numbers. A number of another app or of none is no failure. Source:
  /// Apple, Look Up Order ID.
  public func lookUpOrderID(
    _ id: String, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> OrderLookup {
    if configuration.server == .sandbox {
      throw AppStoreServerFailure(.environmentNotServed(.sandbox), of: .lookUpOrderID)
    }
    let id = try pathPart(id, "orderId", .lookUpOrderID)
    return try await ask(
      ServerRequest(.lookUpOrderID, ["inApps", "v1", "lookup", id]), in: .production,
      patience: patience
    ) { answer async throws(AppStoreServerFailure) in
      let response: OrderLookupResponse = try answer.decoded()
      let status = try answer.required(response.status, "status", .integer)
      let (transactions, refused) = try await verified(
        status == .valid ? response.signedTransactions ?? [] : [], in: answer)
      return OrderLookup(
        status: Unsigned(status, in: answer.environment), transactions: transactions,
        refused: refused)
    }
  }

  // MARK: Parts

  private func page(
    _ tokens: [String]?, _ revision: String?, _ hasMore: Bool?, in answer: ServerAnswer
  ) async throws(AppStoreServerFailure) -> TransactionPage {
    let (transactions, refused) = try await verified(tokens ?? [], in: answer)
    return TransactionPage(
      transactions: transactions, refused: refused, revision: revision, hasMore: hasMore ?? false,
      environment: answer.environment)
  }

  private func item(
    _ item: LastTransaction, in answer: ServerAnswer
  ) async throws(AppStoreServerFailure) -> SubscriptionStatuses.Item {
    let status = item.status.map { Unsigned($0, in: answer.environment) }
    func refused(
      _ refusal: SubscriptionStatuses.Refusal, _ transaction: Verified<Transaction>? = nil
    ) -> SubscriptionStatuses.Item {
      SubscriptionStatuses.Item(
        status: status, transaction: transaction, renewalInfo: nil, refusal: refusal)
    }
    guard let token = item.signedTransactionInfo else { return refused(.notSigned) }
    let transaction: Verified<Transaction>
    switch try await judge(
      verifier.result(of: token, as: .transaction), "signedTransactionInfo", in: answer)
    {
    case .success(let verified): transaction = verified
    case .failure(let failure): return refused(.transaction(failure))
    }
    guard let renewal = item.signedRenewalInfo else {
      return SubscriptionStatuses.Item(
        status: status, transaction: transaction, renewalInfo: nil, refusal: nil)
    }
    switch try await judge(
      verifier.result(of: renewal, as: .renewalInfo), "signedRenewalInfo", in: answer)
    {
    case .success(let renewalInfo):
      guard renewalInfo.isOfSubscription(of: transaction) else {
        return refused(.otherSubscription, transaction)
      }
      return SubscriptionStatuses.Item(
        status: status, transaction: transaction, renewalInfo: renewalInfo, refusal: nil)
    case .failure(let failure): return refused(.renewalInfo(failure), transaction)
    }
  }
}
