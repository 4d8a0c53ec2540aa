internal import JSONValues
internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLAssociations: AssociationRepository {
  let session: SQLSession

  func find(
    _ originalTransactionIDs: [String], environment: AppStoreEnvironment
  ) async throws -> [PurchaseAssociation] {
    try await session.query(
      .findAssociations, ids: originalTransactionIDs, before: [.environment(environment)]
    ).map(PurchaseAssociation.init(row:))
  }

  func add(_ associations: [PurchaseAssociation]) async throws -> [PurchaseAssociation] {
    // Sorting is stable: of several of one purchase the first is added.
    let rows = associations.sorted { $0.isBefore($1) }
    let calls = Dictionary(grouping: rows, by: \.environment)
      .sorted { UniqueText($0.key.rawValue) < UniqueText($1.key.rawValue) }
      .compactMap { environment, rows in
        session.call(
          .findAssociations, ids: rows.map(\.originalTransactionID),
          before: [.environment(environment)])
      }
    let count = Set(rows.map(\.key)).count
    for _ in 0..<Self.addingRounds {
      try await session.execute(.addAssociation, each: rows.map(\.values))
      let stored = try await session.query(calls).joined().map(PurchaseAssociation.init(row:))
      // A row that was there before may have been removed since, as nothing had locked it.
      if stored.count == count { return stored }
    }
    throw StorageFailure.conflict
  }

  private static let addingRounds = 4

  func replace(_ association: PurchaseAssociation) async throws {
    try await session.run(.replaceAssociation, association.values)
  }

  func remove(
    originalTransactionID: String, of userID: AccountID, bundleID: String
  ) async throws -> [PurchaseAssociation] {
    try await session.query(
      .removeAssociation, [.text(originalTransactionID), .name(userID), .text(bundleID)]
    ).map(PurchaseAssociation.init(row:)).sorted { $0.isBefore($1) }
  }

  func associations(
    of userID: AccountID, in bundleIDs: [String]
  ) async throws -> [PurchaseAssociation] {
    guard let holder = Holder(userID, in: bundleIDs, session.connection.dialect) else { return [] }
    let call = holder.call(.associationsOfUser)
    return try await session.query(call.statement, call.values)
      .map(PurchaseAssociation.init(row:))
  }

  func record(_ conflict: AssociationConflict) async throws {
    try await session.run(
      .recordAssociationConflict,
      [
        .text(conflict.originalTransactionID), .name(conflict.owner), .name(conflict.claimant),
        .milliseconds(conflict.seenDate),
      ])
  }

  func conflicts(about originalTransactionID: String) async throws -> [AssociationConflict] {
    try await session.query(.associationConflicts, [.text(originalTransactionID)])
      .map(AssociationConflict.init(row:))
  }

  func conflicts(of claimant: AccountID, limit: Int) async throws -> [AssociationConflict] {
    try await session.query(.conflictsOfClaimant, [.name(claimant), .number(limit)])
      .map(AssociationConflict.init(row:))
  }
}

extension AssociationConflict {
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      originalTransactionID: reader.text(), owner: AccountID(stored: reader.text()),
      claimant: AccountID(stored: reader.text()),
      seenDate: reader.milliseconds() ?? StoredMoment.date(seconds: 0))
  }
}

extension PurchaseAssociation {
  /// Reads a row of ``SQLStatement/associationColumns``.
  init(row: SQLRow) {
    var reader = SQLRowReader(row)
    let environment = reader.environment()
    self.init(
      environment: environment, originalTransactionID: reader.text(),
      userID: AccountID(stored: reader.text()), bundleID: reader.text(),
      associatedDate: reader.milliseconds() ?? StoredMoment.date(seconds: 0),
      evidence: Evidence(rawValue: reader.text()))
  }

  fileprivate var values: [SQLValue] {
    [
      .environment(environment), .text(originalTransactionID), .name(userID), .text(bundleID),
      .milliseconds(associatedDate), .text(evidence.rawValue),
    ]
  }

  fileprivate var key: [SQLValue] { Array(values.prefix(2)) }
}

extension SQLStatement {
  static let associationColumns =
    "environment, original_transaction_id, user_id, bundle_id, associated_at, how"

  private static let insertAssociation = SQLInsertion(
    "INSERT INTO store_associations (\(associationColumns)) VALUES ($1, $2, $3, $4, $5, $6)",
    key: "original_transaction_id, environment")

  static let addAssociation = insertAssociation.keepingStored("association_add")

  static let replaceAssociation = insertAssociation.changingStored(
    "association_replace",
    ["user_id", "bundle_id", "associated_at", "how"].map { .overwriting($0) })

  static let removeAssociation = SQLStatement(
    "association_remove",
    """
    DELETE FROM store_associations
    WHERE original_transaction_id = $1 AND user_id || '' = $2 AND bundle_id || '' = $3
    RETURNING \(associationColumns)
    """)

  static let recordAssociationConflict = SQLStatement(
    "association_conflict_record",
    """
    INSERT INTO store_association_conflicts (original_transaction_id, owner, claimant, seen_at)
    VALUES ($1, $2, $3, $4)
    """)

  static let associationConflicts = SQLStatement(
    "association_conflicts",
    """
    SELECT original_transaction_id, owner, claimant, seen_at FROM store_association_conflicts
    WHERE original_transaction_id = $1 ORDER BY id
    """)

  static let conflictsOfClaimant = SQLStatement(
    "association_conflicts_of_claimant",
    """
    SELECT original_transaction_id, owner, claimant, seen_at FROM store_association_conflicts
    WHERE claimant = $1 ORDER BY id DESC LIMIT $2
    """)
}

extension ListStatement {
  // The environment is compared in a way that no index serves (|| ''), as for transactions.
  static let findAssociations = ListStatement(
    "association_find", column: "original_transaction_id", parameter: "$2",
    orderOfSeveral: "\nORDER BY original_transaction_id", lock: "FOR UPDATE"
  ) {
    """
    SELECT \(SQLStatement.associationColumns) FROM store_associations
    WHERE '' || environment = $1 AND \($0)
    """
  }

  static let associationsOfUser = ListStatement(
    "association_of_user", column: "bundle_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT \(SQLStatement.associationColumns) FROM store_associations
    WHERE user_id = $1 AND \($0)
    """
  }
}
