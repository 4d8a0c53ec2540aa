internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLConsumption: ConsumptionRepository {
  let session: SQLSession

  func add(_ case: ConsumptionCase) async throws -> Bool {
    let values = SQLColumns.consumption.values(of: `case`, and: .text(`case`.state.rawValue))
    return try await session.execute(.addConsumptionCase, values) > 0
  }

  func find(key: String) async throws -> ConsumptionCase? {
    try await session.query(session.choose(.findConsumptionCase), [.text(key)])
      .first.map(ConsumptionCase.init(row:))
  }

  // The row is locked first, as MariaDB does not count a row that keeps its values.
  func prepare(_ case: ConsumptionCase, replacing answer: String?) async throws -> Bool {
    guard let stored = try await find(key: `case`.key), stored.state == .waiting,
      stored.answer.map(UniqueText.init) == answer.map(UniqueText.init)
    else { return false }
    try await session.run(
      .prepareConsumptionCase,
      [
        .text(`case`.key), .text(`case`.originalTransactionID), .name(`case`.productID),
        .name(`case`.answer), .name(`case`.proposedAnswer),
      ])
    return true
  }

  func settle(
    key: String, state: ConsumptionCase.State, answer: String?, now: Date
  ) async throws {
    try await session.run(
      .settleConsumptionCase,
      [.text(key), .text(state.rawValue), .name(answer), .milliseconds(now)])
  }

  // The cases are locked, so that two outcomes at once don't choose the same one.
  func note(
    outcome: String, ofTransaction transactionID: String, environment: AppStoreEnvironment,
    date: Date
  ) async throws -> Bool {
    let stored = StoredMoment.inMilliseconds(date)
    let cases = try await cases(ofTransaction: transactionID, environment: environment)
    guard let newest = cases.last(where: { $0.outcome == nil && $0.requestedDate <= stored }) else {
      return false
    }
    try await session.run(
      .noteConsumptionOutcome, [.text(newest.key), .text(outcome), .milliseconds(date)])
    return true
  }

  func cases(
    ofTransaction transactionID: String, environment: AppStoreEnvironment
  ) async throws -> [ConsumptionCase] {
    try await session.query(
      session.choose(.consumptionCases), [.text(transactionID), .environment(environment)]
    ).map(ConsumptionCase.init(row:))
  }

  func waiting(at date: Date, limit: Int) async throws -> [ConsumptionCase] {
    guard limit > 0 else { return [] }
    return try await session.query(
      .waitingConsumptionCases, [.milliseconds(date), .number(limit)]
    ).map(ConsumptionCase.init(row:))
  }
}

extension ConsumptionCase {
  /// Reads a row of ``SQLColumns/consumption`` and the state.
  fileprivate init(row: SQLRow) throws {
    self = SQLColumns.consumption.row(row)
    guard let state = row.last?.name.flatMap(State.init(rawValue:)) else {
      throw StorageFailure.database(code: 0, detail: "a consumption request of an unknown state")
    }
    self.state = state
  }
}

extension SQLColumns<ConsumptionCase> {
  /// The columns of `apple_consumption_request`, except the state.
  static let consumption = SQLColumns(
    ConsumptionCase(
      key: "", environment: .production, transactionID: "", originalTransactionID: "",
      requestedDate: StoredMoment.date(seconds: 0), deadline: StoredMoment.date(seconds: 0))
  ) { row, column in
    column.text("notification_key", &row.key)
    column.environment("environment", &row.environment)
    column.text("transaction_id", &row.transactionID)
    column.text("original_transaction_id", &row.originalTransactionID)
    column.name("product_id", &row.productID)
    column.name("reason", &row.reason)
    column.flag("is_advanced_commerce", &row.isAdvancedCommerce)
    column.milliseconds("requested_ms", &row.requestedDate)
    column.milliseconds("deadline_ms", &row.deadline)
    column.name("answer", &row.answer)
    column.milliseconds("state_ms", &row.stateDate)
    column.name("outcome", &row.outcome)
    column.milliseconds("outcome_ms", &row.outcomeDate)
    column.name("pending_refund_token", &row.pendingRefundToken)
    column.name("proposed_answer", &row.proposedAnswer)
  }
}

extension LockableStatement {
  static let findConsumptionCase = LockableStatement(
    "consumption_find",
    """
    SELECT \(SQLColumns.consumption.list), state FROM apple_consumption_request
    WHERE notification_key = $1
    """, lock: "FOR UPDATE")

  static let consumptionCases = LockableStatement(
    "consumption_list",
    """
    SELECT \(SQLColumns.consumption.list), state FROM apple_consumption_request
    WHERE transaction_id = $1 AND environment = $2
    ORDER BY requested_ms, notification_key
    """, lock: "FOR UPDATE")
}

extension SQLStatement {
  static let waitingConsumptionCases = SQLStatement(
    "consumption_waiting", waiting("state = 'waiting' AND deadline_ms > 0"),
    mariadb: waiting("is_waiting = 1"))

  private static func waiting(_ isWaiting: String) -> String {
    """
    SELECT \(SQLColumns.consumption.list), state FROM apple_consumption_request
    WHERE \(isWaiting) AND deadline_ms > $1
    ORDER BY deadline_ms, notification_key LIMIT $2
    """
  }

  static let addConsumptionCase = SQLInsertion(
    SQLColumns.consumption.insertion(into: "apple_consumption_request", and: "state"),
    key: "notification_key"
  ).keepingStored("consumption_add")

  static let prepareConsumptionCase = SQLStatement(
    "consumption_prepare",
    """
    UPDATE apple_consumption_request
    SET original_transaction_id = $2, product_id = $3, answer = $4, proposed_answer = $5
    WHERE notification_key = $1 AND state = 'waiting'
    """)

  static let settleConsumptionCase = SQLStatement(
    "consumption_settle",
    """
    UPDATE apple_consumption_request
    SET state = $2, answer = $3, state_ms = $4, proposed_answer = NULL
    WHERE notification_key = $1 AND state = 'waiting'
    """)

  static let noteConsumptionOutcome = SQLStatement(
    "consumption_outcome",
    """
    UPDATE apple_consumption_request SET outcome = $2, outcome_ms = $3
    WHERE notification_key = $1
    """)
}
