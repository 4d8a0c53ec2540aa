internal import EntitlementPolicy
public import PurchaseStorage
public import ReceiptModels

// In one exchange with the server, where the driver can.
extension SQLRecords {
  /// Returns everything that is stored about a user for some apps.
  public func holdings(
    of userID: AccountID, in bundleIDs: [String], purchases: any PurchaseRepository
  ) async throws -> HoldingRows {
    let holder = Holder(userID, in: bundleIDs, session.connection.dialect)
    let lists = [
      .heldAssociations, session.choose(ListStatement.heldTransactions), .heldRenewals,
      .validationsOfUser,
    ].compactMap { holder?.call($0) }
    let acquired = bundleIDs.first.map { SQLCall.acquiredProducts(of: userID, in: $0) }
    let answers = try await session.query(lists + [acquired].compactMap(\.self))
    guard !lists.isEmpty else { return HoldingRows() }
    return HoldingRows(
      associations: answers[0].map(PurchaseAssociation.init(row:)),
      transactions: answers[1].map(PurchaseRecord.init(row:)),
      renewals: answers[2].map(RenewalRecord.init(row:)),
      unanswered: answers[0].compactMap(UnansweredPurchase.init(held:)),
      acquired: acquired == nil ? [] : answers[4].map(AcquiredProduct.init(row:)),
      validations: answers[3].map(AppValidation.init(row:)))
  }
}

/// A user in some apps, for statements with both as parameters.
struct Holder {
  private let bundleIDs: [String]
  private let values: [SQLValue]
  private let dialect: SQLDialect

  /// Nil without apps.
  init?(_ userID: AccountID, in bundleIDs: [String], _ dialect: SQLDialect) {
    guard let first = bundleIDs.first else { return nil }
    self.bundleIDs = bundleIDs
    values =
      [.name(userID)]
      + (bundleIDs.count == 1 ? [.text(first)] : ListStatement.values(bundleIDs, dialect))
    self.dialect = dialect
  }

  /// The call of a statement about the user and the apps.
  func call(_ statement: ListStatement) -> SQLCall {
    let form = bundleIDs.count == 1 ? statement.one : statement.several(dialect, bundleIDs)
    return SQLCall(form.plain, values)
  }
}

extension UnansweredPurchase {
  /// Reads a row of `association_held`; nil if the state of the purchase is known.
  fileprivate init?(held row: SQLRow) {
    let association = PurchaseAssociation(row: row)
    guard let date = row.last?.number.map(StoredMoment.date(milliseconds:)) else { return nil }
    self.init(
      environment: association.environment,
      originalTransactionID: association.originalTransactionID, firstFailureDate: date)
  }
}

extension ListStatement {
  static let heldAssociations = ListStatement(
    "association_held", column: "a.bundle_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT a.environment, a.original_transaction_id, a.user_id, a.bundle_id, a.associated_at,
      a.how, u.first_failure_at
    FROM store_associations a
    LEFT JOIN store_unanswered u ON u.original_transaction_id = a.original_transaction_id
      AND u.environment = a.environment
    WHERE a.user_id = $1 AND \($0)
    """
  }

  static let heldTransactions = StampForms("transaction_held") { name, stamps in
    ListStatement(name, column: "a.bundle_id", parameter: "$2", lock: "") {
      """
      SELECT \(SQLColumns.transaction.list(of: "t")), t.as_of_ms, \(stamps.transactions(of: "t"))
      FROM store_associations a
      JOIN apple_transaction t ON t.original_transaction_id = a.original_transaction_id
        AND t.environment = a.environment
      WHERE a.user_id = $1 AND \($0)
      """
    }
  }

  static let heldRenewals = ListStatement(
    "renewal_held", column: "a.bundle_id", parameter: "$2", lock: ""
  ) {
    """
    SELECT \(SQLColumns.renewal.list(of: "r")), r.as_of_ms
    FROM store_associations a
    JOIN apple_pending_renewal r ON r.original_transaction_id = a.original_transaction_id
      AND r.environment = a.environment
    WHERE a.user_id = $1 AND \($0)
    """
  }
}
