public import PurchaseStorage

extension SQLRecords {
  /// Asks questions in one exchange, unless their answers are kept, and keeps the answers.
  ///
  /// Without a server nothing is saved, so that each is asked when it comes.
  public func prepare(for questions: [UnitQuestion]) async throws {
    guard session.connection.dialect == .postgres else { return }
    var calls: [SQLCall] = []
    var tables: [[String]] = []
    for question in questions {
      let (asked, shown) = self.calls(for: question)
      for call in asked where !calls.contains(call) {
        calls.append(call)
        tables.append(shown)
      }
    }
    let answers = try await session.ask(calls)
    for ((call, shown), rows) in zip(zip(calls, tables), answers)
    where call.statement != .insertSubscription {
      session.kept.keep(rows, of: call, showing: shown)
    }
  }

  /// The queries of a question that are to be asked, and the tables whose changes change their answers.
  private func calls(for question: UnitQuestion) -> ([SQLCall], [String]) {
    switch question {
    case .originalTransactionIDs(let ids, let environment):
      return (
        unkept(.findOriginalIDs, ids, [.environment(environment)]), ["apple_transaction"])
    case .transactions(let ids, let environment):
      let statement = session.choose(ListStatement.findTransactions)
      return (unkept(statement, ids, [.environment(environment)]), ["apple_transaction"])
    case .recording(let transactions, let environment):
      let calls = SQLPurchases(session: session).calls(toRecord: transactions, environment)
      return (
        calls.allSatisfy(isKept) ? [] : calls, ["apple_transaction", "apple_subscription"])
    case .renewals(let ids, let environment):
      return (unkept(.findRenewals, ids, [.environment(environment)]), ["apple_pending_renewal"])
    case .notification(let key):
      return (
        [SQLCall(.findNotification, [.text(key)])].filter { !isKept($0) }, ["apple_webhook"])
    default:
      return callsOfCapabilities(for: question)
    }
  }

  private func callsOfCapabilities(for question: UnitQuestion) -> ([SQLCall], [String]) {
    switch question {
    case .subscriptions(let ids) where capabilities.contains(.subscriptions):
      return (unkept(.findSubscriptions, ids), ["apple_subscription", "ftc_vip"])
    case .subscriptionsInserting(let ids, let new, let asOf, let now)
    where capabilities.contains(.subscriptions):
      let calls = SQLSubscriptions(session: session).calls(ids, inserting: new, asOf: asOf, now: now)
      // The next questions show the new rows.
      if calls.count > 1 { session.kept.forget(showing: "apple_subscription") }
      return (calls, ["apple_subscription", "ftc_vip"])
    case .memberships(let account, let ids) where capabilities.contains(.subscriptions):
      let calls = SQLMemberships(session: session).calls(
        account: account, appleSubscriptionIDs: ids)
      return (calls.allSatisfy(isKept) ? [] : calls, ["ftc_vip"])
    case .associations(let ids, let environment, let again)
    where capabilities.contains(.entitlements):
      if again { session.kept.forget(showing: "store_associations") }
      return (
        unkept(.findAssociations, ids, [.environment(environment)]), ["store_associations"])
    case .unanswered(let ids, let environment) where capabilities.contains(.entitlements):
      return (unkept(.findUnanswered, ids, [.environment(environment)]), ["store_unanswered"])
    case .orderedSubscription(let userID) where capabilities.contains(.orders):
      let call = SQLOrderedSubscriptions(session: session).call(userID)
      return (isKept(call) ? [] : [call], ["user_subscriptions"])
    case .levels where capabilities.contains(.orders):
      return ([SQLCall(.allLevels, [])].filter { !isKept($0) }, ["subscription_levels"])
    case .claims(let purchases) where capabilities.contains(.orders):
      let claims = SQLSubscriptionClaims(session: session)
      return (
        SQLSubscriptionClaims.inOrder(purchases).map(claims.call).filter { !isKept($0) },
        ["subscription_claims"])
    default: return ([], [])
    }
  }

  private func unkept(
    _ statement: ListStatement, _ ids: [String], _ values: [SQLValue] = []
  ) -> [SQLCall] {
    [session.call(statement, ids: ids, before: values)].compactMap(\.self).filter { !isKept($0) }
  }

  private func isKept(_ call: SQLCall) -> Bool {
    session.kept.rows(of: call.statement, call.values) != nil
  }
}
