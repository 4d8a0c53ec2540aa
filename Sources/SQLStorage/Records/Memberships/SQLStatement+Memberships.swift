internal import ReceiptModels

/// The statements that find memberships by the same identifiers.
struct MembershipStatements {
  let rows: ListStatement
  /// The keys of the rows, some of them more than once.
  let keys: ListStatement

  /// Those with least work: for subscriptions alone, where the account has no union id, and for all.
  static func finding(_ account: Account?) -> MembershipStatements {
    guard let account else { return ofSubscriptions }
    return account.secondID == nil ? ofMember : ofAccount
  }

  static let ofSubscriptions = MembershipStatements("followers", parameter: "$1", or: [])

  static let ofMember = MembershipStatements(
    "member", parameter: "$2", or: ["vip_id = $1", "ftc_user_id = $1 AND ftc_user_id <> ''"])

  static let ofAccount = MembershipStatements(
    "account", parameter: "$3",
    or: [
      "vip_id = $1", "vip_id = $2", "ftc_user_id = $1 AND ftc_user_id <> ''",
      "wx_union_id = $2 AND wx_union_id <> ''", "vip_id_alias = $2 AND vip_id_alias <> ''",
    ])

  // Each of the identifiers has an index of its own. The order is that of none of them (|| ''), or
  // PostgreSQL might go through all of one in its order; a subscription alone has one row at most. Keys alone are
  // found faster by a union, but in MariaDB. There a column that is 1 where a text is not empty completes each key.
  private init(_ name: String, parameter: String, or others: [String]) {
    @Sendable func conditions(_ ofSubscription: String) -> [String] {
      others + ["\(ofSubscription) AND apple_subscription_id <> ''"]
    }
    @Sendable func any(_ ofSubscription: String) -> String {
      conditions(ofSubscription).map { "(\($0))" }.joined(separator: "\n  OR ")
    }
    @Sendable func completing(_ sql: String) -> String {
      sql.replacing(/(\w+) <> ''/) { "has_\($0.1) = 1" }
    }
    func statement(
      _ suffix: String, orderOfSeveral order: String = "", lock: String,
      mariadb: @escaping @Sendable (String) -> String, sql: @escaping @Sendable (String) -> String
    ) -> ListStatement {
      ListStatement(
        "membership_find_" + name + suffix, column: "apple_subscription_id",
        parameter: parameter, orderOfSeveral: order, lock: lock,
        mariadb: { completing(mariadb($0)) }, sql: sql)
    }
    let order = "\nORDER BY vip_id || ''"
    @Sendable func rows(_ ofSubscription: String) -> String {
      """
      SELECT \(SQLStatement.membershipColumns) FROM ftc_vip
      WHERE \(any(ofSubscription))\(others.isEmpty ? "" : order)
      """
    }
    self.rows = statement(
      "", orderOfSeveral: others.isEmpty ? order : "", lock: "FOR UPDATE", mariadb: rows, sql: rows)
    keys = statement(
      "_keys", lock: "", mariadb: { "SELECT vip_id FROM ftc_vip WHERE \(any($0))" }
    ) { ofSubscription in
      conditions(ofSubscription).map { "SELECT vip_id FROM ftc_vip WHERE \($0)" }
        .joined(separator: "\nUNION ALL ")
    }
  }
}

extension SQLStatement {
  static let membershipColumns =
    "vip_id, id, vip_id_alias, \(SQLColumns.membership.list), vip_type, expire_time"

  static let insertMembership = SQLStatement(
    "membership_insert",
    "INSERT INTO ftc_vip (\(membershipColumns)) VALUES (\(parameters(1...18)))")

  // The row keeps its id; an old one without gets one. Bits of $20 name the columns that it keeps. MariaDB returns no
  // row that it updates.
  static let updateMembership: SQLStatement = {
    let values = SQLColumns.membership.names.enumerated().map { index, column in
      column == "payment_method"
        ? keeping(column, "$\(index + 4)", .payMethod) : "\(column) = $\(index + 4)"
    }
    let update = """
      UPDATE ftc_vip SET vip_id = $1, id = COALESCE(NULLIF(id, ''), $2), vip_id_alias = $3,
        \(values.joined(separator: ", ")),
        \(keeping("vip_type", "$17", .oldType)), \(keeping("expire_time", "$18", .oldTime))
      WHERE vip_id = $19
      """
    return SQLStatement(
      "membership_update", "\(update)\nRETURNING \(membershipColumns)", mariadb: update)
  }()

  /// For MariaDB.
  static let updatedMembership = SQLStatement(
    "membership_updated", "SELECT \(membershipColumns) FROM ftc_vip WHERE vip_id = $1")

  private static func keeping(
    _ column: String, _ value: String, _ kept: KeptColumns
  ) -> String {
    "\(column) = CASE WHEN ($20 & \(kept.rawValue)) = 0 THEN \(value) ELSE \(column) END"
  }

  private static func parameters(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { "$\($0)" }.joined(separator: ", ")
  }

  static let deleteMembership = SQLStatement(
    "membership_delete", "DELETE FROM ftc_vip WHERE vip_id = $1")

  // Copied from the row as stored; where it has no value, or does not exist, from the membership. MAX, of
  // at most one row, gives one row in any case.
  static let recordSnapshot: SQLStatement = {
    let copies = SQLColumns.membership.names.enumerated().map { index, column in
      column == "auto_renewal"
        ? "COALESCE(MAX(auto_renewal), $\(index + 5))"
        : "COALESCE(MAX(NULLIF(\(column), '')), $\(index + 5))"
    }
    return SQLStatement(
      "snapshot_record",
      """
      INSERT INTO member_snapshot (id, created_by, created_utc, compound_id, \(snapshotColumns))
      SELECT $1, $2, $3, $4, \(copies.joined(separator: ", "))
      FROM ftc_vip WHERE vip_id = $18
      """)
  }()

  /// The common columns, as `member_snapshot` names them.
  static let snapshotColumns = SQLColumns.membership.names.map { column in
    switch column {
    case "member_tier": "tier"
    case "billing_cycle": "cycle"
    default: column
    }
  }.joined(separator: ", ")

  static let recordDispute = record("dispute", "apple_cheat")
  static let recordUnlink = record("unlink", "apple_unlink_archive")

  private static func record(_ name: String, _ table: String) -> SQLStatement {
    SQLStatement(
      name + "_record",
      """
      INSERT INTO \(table) (original_transaction_id, ftc_user_id, created_utc)
      VALUES ($1, $2, $3)
      """)
  }
}
