internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLValidations: ValidationRepository {
  let session: SQLSession

  func find(_ userID: AccountID, bundleID: String) async throws -> AppValidation? {
    try await session.query(
      session.choose(.findValidation), [.name(userID), .text(bundleID)]
    ).first.map(AppValidation.init(row:))
  }

  func lock(_ userID: AccountID, bundleID: String) async throws -> AppValidation {
    if let state = try await find(userID, bundleID: bundleID) { return state }
    try await session.run(.addValidation, [.name(userID), .text(bundleID)])
    return try await find(userID, bundleID: bundleID) ?? AppValidation(bundleID: bundleID)
  }

  func save(_ state: AppValidation, of userID: AccountID) async throws {
    try await session.run(
      .saveValidation,
      [
        .name(userID), .text(state.bundleID), .milliseconds(state.validatedDate),
        .milliseconds(state.firstFailureDate), .milliseconds(state.lastFailureDate),
        .name(state.lastFailure?.rawValue), .milliseconds(state.nextValidationDate),
      ])
  }

  func lease(
    now: Date, until: Date, token: String, limit: Int
  ) async throws -> [StoredValidation] {
    guard limit > 0 else { return [] }
    let rows = try await session.query(
      session.choose(.dueValidations), [.milliseconds(now), .number(limit)])
    let leases = rows.map(StoredValidation.init(row:))
    try await session.execute(
      .grantValidationLease,
      each: leases.map {
        [.name($0.userID), .text($0.state.bundleID), .text(token), .milliseconds(until)]
      })
    return leases
  }

  func giveBack(_ userID: AccountID, bundleID: String, token: String) async throws {
    try await session.run(
      .giveBackValidation, [.name(userID), .text(bundleID), .text(token)])
  }

  func postpone(
    _ userID: AccountID, bundleID: String, to date: Date, token: String
  ) async throws {
    try await session.run(
      .postponeValidation,
      [.name(userID), .text(bundleID), .text(token), .milliseconds(date)])
  }
}

// Purchases whose state could not be learned.
extension SQLValidations {
  func unanswered(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [UnansweredPurchase] {
    try await session.query(
      .findUnanswered, ids: originalTransactionIDs, before: [.environment(environment)]
    ).map { row in
      var reader = SQLRowReader(row)
      return UnansweredPurchase(
        environment: environment, originalTransactionID: reader.text(),
        firstFailureDate: reader.milliseconds() ?? StoredMoment.date(milliseconds: 0))
    }
  }

  func note(_ unanswered: [UnansweredPurchase]) async throws {
    try await session.execute(
      .noteUnanswered,
      each: unanswered.map {
        [
          .text($0.originalTransactionID), .environment($0.environment),
          .milliseconds($0.firstFailureDate),
        ]
      })
  }

  func endFailures(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws {
    _ = try await session.query(
      .endUnanswered, ids: originalTransactionIDs, before: [.environment(environment)])
  }
}

extension AppValidation {
  /// Reads a row of ``SQLStatement/validationColumns``.
  init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      bundleID: reader.text(), validatedDate: reader.milliseconds(),
      firstFailureDate: reader.milliseconds(), lastFailureDate: reader.milliseconds(),
      lastFailure: reader.name().map(ValidationFailure.init(rawValue:)),
      nextValidationDate: reader.milliseconds())
  }
}

extension StoredValidation {
  /// Reads a row of `validation_due`: the state, then the user.
  fileprivate init(row: SQLRow) {
    self.init(
      userID: AccountID(stored: row.last?.name ?? ""), state: AppValidation(row: row))
  }
}

extension SQLStatement {
  static let validationColumns = """
    bundle_id, validated_at, first_failure_at, last_failure_at, last_failure, next_validation_at
    """

  static let saveValidation = SQLInsertion(
    """
    INSERT INTO store_validation (user_id, \(validationColumns))
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    """, key: "user_id, bundle_id"
  ).changingStored(
    "validation_save",
    [
      "validated_at", "first_failure_at", "last_failure_at", "last_failure", "next_validation_at",
    ].map { .overwriting($0) } + [.init("lease_token", "NULL"), .init("lease_until", "NULL")])

  static let addValidation = SQLInsertion(
    "INSERT INTO store_validation (user_id, bundle_id) VALUES ($1, $2)", key: "user_id, bundle_id"
  ).keepingStored("validation_add")

  static let noteUnanswered = SQLInsertion(
    """
    INSERT INTO store_unanswered (original_transaction_id, environment, first_failure_at)
    VALUES ($1, $2, $3)
    """, key: "original_transaction_id, environment"
  ).keepingStored("unanswered_note")

  static let grantValidationLease = SQLStatement(
    "validation_grant",
    """
    UPDATE store_validation SET lease_token = $3, lease_until = $4
    WHERE user_id = $1 AND bundle_id = $2
    """)

  static let giveBackValidation = SQLStatement(
    "validation_give_back",
    """
    UPDATE store_validation SET lease_token = NULL, lease_until = NULL
    WHERE user_id = $1 AND bundle_id = $2 AND lease_token = $3
    """)

  static let postponeValidation = SQLStatement(
    "validation_postpone",
    """
    UPDATE store_validation
    SET next_validation_at = $4, lease_token = NULL, lease_until = NULL
    WHERE user_id = $1 AND bundle_id = $2 AND lease_token = $3
    """)
}

extension LockableStatement {
  static let findValidation = LockableStatement(
    "validation_find",
    """
    SELECT \(SQLStatement.validationColumns) FROM store_validation
    WHERE user_id = $1 AND bundle_id = $2
    """, lock: "FOR UPDATE")

  // Leased rows are read, but few are leased at a time. Of few rows MariaDB would sort all, and lock all that it
  // sorts, so that another worker would find none.
  static let dueValidations = LockableStatement(
    "validation_due", due("store_validation"),
    mariadb: due("store_validation FORCE INDEX (store_validation_next_validation_at)"),
    lock: "FOR UPDATE SKIP LOCKED")

  private static func due(_ table: String) -> String {
    """
    SELECT \(SQLStatement.validationColumns), user_id FROM \(table)
    WHERE next_validation_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
    ORDER BY next_validation_at, user_id, bundle_id LIMIT $2
    """
  }
}

extension ListStatement {
  static let validationsOfUser = ListStatement(
    "validation_of_user", column: "bundle_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT \(SQLStatement.validationColumns) FROM store_validation
    WHERE user_id = $1 AND \($0)
    """
  }

  // The environment is compared in a way that no index serves (|| ''), as for transactions.
  static let findUnanswered = ListStatement(
    "unanswered_find", column: "original_transaction_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT original_transaction_id, first_failure_at FROM store_unanswered
    WHERE '' || environment = $1 AND \($0)
    """
  }

  static let endUnanswered = ListStatement(
    "unanswered_end", column: "original_transaction_id", parameter: "$2", lock: ""
  ) {
    """
    DELETE FROM store_unanswered WHERE environment || '' = $1 AND \($0)
    RETURNING original_transaction_id
    """
  }
}
