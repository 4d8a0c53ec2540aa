public import PurchaseStorage

extension SQLRecords {
  /// Asks questions in one exchange where the driver can, unless their answers are kept, and keeps the answers.
  ///
  /// SQLite has no exchanges to save, so that it does so only for units of work that ask some questions twice.
  public func prepare(for questions: [UnitQuestion]) async throws {
    guard session.connection.dialect != .sqlite || questions.contains(where: \.isAskedTwice) else {
      return
    }
    var calls = CallsToKeep(session: session)
    for case .replacingRenewals(let ids, _, _) in questions { calls.told.formUnion(ids) }
    for question in questions { add(question, to: &calls) }
    let answers = try await session.ask(calls.asked.map(\.call))
    for (asked, rows) in zip(calls.asked, answers) where !asked.tables.isEmpty {
      session.kept.keep(rows, of: asked.call, showing: asked.tables)
    }
  }

  private func add(_ question: UnitQuestion, to calls: inout CallsToKeep) {
    switch question {
    case .originalTransactionIDs(let ids, let environment):
      calls.add(.findOriginalIDs, ids, [.environment(environment)], showing: .transactions)
    case .transactions(let ids, let environment, let again):
      if again { session.kept.forget(showing: .transactions) }
      let statement = session.choose(ListStatement.findTransactions)
      calls.add(statement, ids, [.environment(environment)], showing: .transactions)
    case .recording(let transactions, let environment):
      let recording = SQLPurchases(session: session).calls(toRecord: transactions, environment)
      guard let lock = recording.first, let find = recording.last else { return }
      calls.add([
        (lock, showing: [.subscriptions, .memberships]), (find, showing: .transactions),
      ])
    case .renewals(let ids, let environment):
      calls.add(.findRenewals, ids, [.environment(environment)], showing: .renewals)
    case .replacingRenewals(let ids, let environment, let asOf):
      for id in ids {
        let replacing = SQLPurchases(session: session)
          .calls(toReplace: id, environment, asOf: asOf)
        calls.add(Array(zip(replacing, [.renewalSets, .renewals])))
      }
    case .notification(let key):
      calls.add(SQLCall(.findNotification, [.text(key)]), showing: .notifications)
    case .subscriptions, .subscriptionsInserting, .memberships:
      if capabilities.contains(.subscriptions) { addSubscriptions(question, to: &calls) }
    case .associations, .unanswered:
      if capabilities.contains(.entitlements) { addEntitlements(question, to: &calls) }
    case .orderedSubscription, .levels, .claims:
      if capabilities.contains(.orders) { addOrders(question, to: &calls) }
    }
  }

  private func addSubscriptions(_ question: UnitQuestion, to calls: inout CallsToKeep) {
    switch question {
    case .subscriptions(let ids):
      calls.add(.findSubscriptions, ids, [], showing: [.subscriptions, .memberships])
    case .subscriptionsInserting(let ids, let new, let asOf, let now):
      let inserting = SQLSubscriptions(session: session)
        .calls(ids, inserting: new, told: calls.told, asOf: asOf, now: now)
      guard let find = inserting.last else { return }
      if inserting.count > 1 { session.kept.forgetWhatRestsOnSubscriptions() }
      // What was inserted tells for as long as no receipt is written.
      var insertions = inserting.dropLast().map { CallsToKeep.Asked($0, .receipts) }
      insertions.append((find, [.subscriptions, .memberships]))
      calls.add(insertions)
    case .memberships(let account, let ids):
      let finding = SQLMemberships(session: session).calls(
        account: account, appleSubscriptionIDs: ids)
      calls.add(finding.map { ($0, showing: .memberships) })
    default: return
    }
  }

  private func addEntitlements(_ question: UnitQuestion, to calls: inout CallsToKeep) {
    switch question {
    case .associations(let ids, let environment, let again):
      if again { session.kept.forget(showing: .associations) }
      calls.add(.findAssociations, ids, [.environment(environment)], showing: .associations)
    case .unanswered(let ids, let environment):
      calls.add(.findUnanswered, ids, [.environment(environment)], showing: .unanswered)
    default: return
    }
  }

  private func addOrders(_ question: UnitQuestion, to calls: inout CallsToKeep) {
    switch question {
    case .orderedSubscription(let userID):
      let finding = SQLOrderedSubscriptions(session: session).calls(userID)
      calls.add(finding.map { ($0, showing: .orders) })
    case .levels: calls.add(SQLCall(.allLevels, []), showing: .levels)
    case .claims(let purchases):
      let claims = SQLSubscriptionClaims(session: session)
      for purchase in SQLSubscriptionClaims.inOrder(purchases) {
        calls.add(claims.call(purchase), showing: .claims)
      }
    default: return
    }
  }
}

extension UnitQuestion {
  /// Whether the units of work that ask this, because they record or take an order, ask it and others again.
  fileprivate var isAskedTwice: Bool {
    switch self {
    case .recording, .replacingRenewals, .subscriptionsInserting, .orderedSubscription: true
    default: false
    }
  }
}

/// The calls whose answers a unit of work is about to keep, none of them twice.
private struct CallsToKeep {
  /// A call, with the tables whose changes change its answer.
  typealias Asked = (call: SQLCall, showing: KeptTables)

  let session: SQLSession
  /// The subscriptions whose renewals are replaced afterwards.
  var told: Set<String> = []
  private(set) var asked: [(call: SQLCall, tables: KeptTables)] = []

  init(session: SQLSession) { self.session = session }

  mutating func add(_ call: SQLCall, showing tables: KeptTables) {
    guard !isKept(call), !asked.contains(where: { $0.call == call }) else { return }
    asked.append((call, tables))
  }

  mutating func add(
    _ statement: ListStatement, _ ids: [String], _ values: [SQLValue], showing tables: KeptTables
  ) {
    guard let call = session.call(statement, ids: ids, before: values) else { return }
    add(call, showing: tables)
  }

  /// Adds calls each of which shows what the ones before it locked, but for the first ones that are kept or are among
  /// the others in this order.
  mutating func add(_ calls: [Asked]) {
    var left = calls.drop { isKept($0.call) }
    var others = asked[...]
    while let first = left.first, let index = others.firstIndex(where: { $0.call == first.call }) {
      others = others[(index + 1)...]
      left = left.dropFirst()
    }
    asked += left.map { ($0.call, $0.showing) }
  }

  private func isKept(_ call: SQLCall) -> Bool {
    session.kept.rows(of: call.statement, call.values) != nil
  }
}
