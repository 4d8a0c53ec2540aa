public import PurchaseStorage

extension SQLRecords {
  /// Asks questions in one exchange where the driver can, unless their answers are kept, and keeps the answers.
  public func prepare(for questions: [UnitQuestion]) async throws {
    var asked: [Asked] = []
    var told: Set<String> = []
    for case .replacingRenewals(let ids, _, _) in questions { told.formUnion(ids) }
    for question in questions {
      for series in series(of: question, told: told) {
        asked += series.calls(besides: asked, keptBy: session)
      }
    }
    let answers = try await session.ask(asked.map(\.call))
    for (asked, rows) in zip(asked, answers) where !asked.tables.isEmpty {
      session.kept.keep(rows, of: asked.call, showing: asked.tables)
    }
  }

  /// The calls for a question; the renewals of `told` are replaced afterwards.
  private func series(of question: UnitQuestion, told: Set<String>) -> [Series] {
    switch question {
    case .originalTransactionIDs(let ids, let environment):
      return list(.findOriginalIDs, ids, [.environment(environment)], "apple_transaction")
    case .transactions(let ids, let environment, let again):
      if again { session.kept.forget(showing: "apple_transaction") }
      let statement = session.choose(ListStatement.findTransactions)
      return list(statement, ids, [.environment(environment)], "apple_transaction")
    case .recording(let transactions, let environment):
      let calls = SQLPurchases(session: session).calls(toRecord: transactions, environment)
      guard let lock = calls.first, let find = calls.last else { return [] }
      return [
        Series(calls: [
          Asked(lock, showing: "apple_subscription", "ftc_vip"),
          Asked(find, showing: "apple_transaction"),
        ])
      ]
    case .renewals(let ids, let environment):
      return list(.findRenewals, ids, [.environment(environment)], "apple_pending_renewal")
    case .replacingRenewals(let ids, let environment, let asOf):
      return ids.map { id in
        let calls = SQLPurchases(session: session).calls(toReplace: id, environment, asOf: asOf)
        let tables = ["apple_renewal_set", "apple_pending_renewal"]
        return Series(calls: zip(calls, tables).map { Asked($0, showing: $1) })
      }
    case .notification(let key):
      return [Series(SQLCall(.findNotification, [.text(key)]), showing: "apple_webhook")]
    case .subscriptions, .subscriptionsInserting, .memberships:
      guard capabilities.contains(.subscriptions) else { return [] }
      return subscriptionSeries(of: question, told: told)
    case .associations, .unanswered:
      return capabilities.contains(.entitlements) ? entitlementSeries(of: question) : []
    case .orderedSubscription, .levels, .claims:
      return capabilities.contains(.orders) ? orderSeries(of: question) : []
    }
  }

  private func subscriptionSeries(of question: UnitQuestion, told: Set<String>) -> [Series] {
    switch question {
    case .subscriptions(let ids):
      return list(.findSubscriptions, ids, [], "apple_subscription", "ftc_vip")
    case .subscriptionsInserting(let ids, let new, let asOf, let now):
      let calls = SQLSubscriptions(session: session)
        .calls(ids, inserting: new, told: told, asOf: asOf, now: now)
      guard let find = calls.last else { return [] }
      if calls.count > 1 { session.kept.forgetWhatRestsOnSubscriptions() }
      return [
        Series(
          // What was inserted tells for as long as no receipt is written.
          calls: calls.dropLast().map { Asked($0, showing: "apple_receipt") }
            + [Asked(find, showing: "apple_subscription", "ftc_vip")])
      ]
    case .memberships(let account, let ids):
      let calls = SQLMemberships(session: session).calls(
        account: account, appleSubscriptionIDs: ids)
      return calls.isEmpty ? [] : [Series(calls: calls.map { Asked($0, showing: "ftc_vip") })]
    default: return []
    }
  }

  private func entitlementSeries(of question: UnitQuestion) -> [Series] {
    switch question {
    case .associations(let ids, let environment, let again):
      if again { session.kept.forget(showing: "store_associations") }
      return list(.findAssociations, ids, [.environment(environment)], "store_associations")
    case .unanswered(let ids, let environment):
      return list(.findUnanswered, ids, [.environment(environment)], "store_unanswered")
    default: return []
    }
  }

  private func orderSeries(of question: UnitQuestion) -> [Series] {
    switch question {
    case .orderedSubscription(let userID):
      let calls = SQLOrderedSubscriptions(session: session).calls(userID)
      return [Series(calls: calls.map { Asked($0, showing: "user_subscriptions") })]
    case .levels: return [Series(SQLCall(.allLevels, []), showing: "subscription_levels")]
    case .claims(let purchases):
      let claims = SQLSubscriptionClaims(session: session)
      return SQLSubscriptionClaims.inOrder(purchases).map {
        Series(claims.call($0), showing: "subscription_claims")
      }
    default: return []
    }
  }

  private func list(
    _ statement: ListStatement, _ ids: [String], _ values: [SQLValue], _ tables: String...
  ) -> [Series] {
    session.call(statement, ids: ids, before: values).map {
      [Series(calls: [Asked($0, tables)])]
    } ?? []
  }
}

/// A call, with the tables whose changes change its answer; none for one whose answer is not kept.
private struct Asked {
  let call: SQLCall
  let tables: [String]

  init(_ call: SQLCall, _ tables: [String]) {
    self.call = call
    self.tables = tables
  }

  init(_ call: SQLCall, showing tables: String...) { self.init(call, tables) }
}

/// The calls of a question, each of which shows what the ones before it locked.
private struct Series {
  let calls: [Asked]

  init(calls: [Asked]) { self.calls = calls }

  init(_ call: SQLCall, showing table: String) { calls = [Asked(call, showing: table)] }

  /// The calls that are neither kept nor among others in this order.
  func calls(besides asked: [Asked], keptBy session: SQLSession) -> ArraySlice<Asked> {
    var left = calls.drop { session.kept.rows(of: $0.call.statement, $0.call.values) != nil }
    var others = asked[...]
    while let first = left.first, let index = others.firstIndex(where: { $0.call == first.call }) {
      others = others[(index + 1)...]
      left = left.dropFirst()
    }
    return left
  }
}
