internal import ReceiptModels

/// The statements that find memberships by the same identifiers.
struct MembershipStatements {
  /// The rows, which may be locked.
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
  // PostgreSQL might go through all of one in its order. Keys alone are found faster by a union.
  private init(_ name: String, parameter: String, or others: [String]) {
    func conditions(_ ofSubscription: String) -> [String] {
      others + ["\(ofSubscription) AND apple_subscription_id <> ''"]
    }
    func statement(_ suffix: String, lock: String, sql: (String) -> String) -> ListStatement {
      ListStatement(
        "membership_find_" + name + suffix, column: "apple_subscription_id",
        parameter: parameter, lock: lock, sql: sql)
    }
    rows = statement("", lock: "FOR UPDATE") { ofSubscription in
      let any = conditions(ofSubscription).map { "(\($0))" }.joined(separator: "\n  OR ")
      return """
        SELECT \(SQLStatement.membershipColumns) FROM ftc_vip
        WHERE \(any)
        ORDER BY vip_id || ''
        """
    }
    keys = statement("_keys", lock: "") { ofSubscription in
      conditions(ofSubscription).map { "SELECT vip_id FROM ftc_vip WHERE \($0)" }
        .joined(separator: "\nUNION ALL ")
    }
  }
}

extension SQLStatement {
  static let membershipColumns = """
    vip_id, id, ftc_user_id, wx_union_id, vip_id_alias, member_tier, billing_cycle,
    expire_date, payment_method, ftc_plan_id, stripe_subscription_id, stripe_plan_id,
    b2b_licence_id, auto_renewal, sub_status, apple_subscription_id, vip_type, expire_time
    """

  static let insertMembership = SQLStatement(
    "membership_insert",
    """
    INSERT INTO ftc_vip (vip_id, id, ftc_user_id, wx_union_id, vip_id_alias, member_tier,
      billing_cycle, expire_date, payment_method, ftc_plan_id, stripe_subscription_id,
      stripe_plan_id, b2b_licence_id, auto_renewal, sub_status, apple_subscription_id,
      vip_type, expire_time)
    VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    """)

  // The row keeps its id; one of the past, without, gets one. Bits of $19 tell which columns it keeps.
  static let updateMembership = SQLStatement(
    "membership_update",
    """
    UPDATE ftc_vip SET vip_id = $1, id = COALESCE(NULLIF(id, ''), $2), ftc_user_id = $3,
      wx_union_id = $4, vip_id_alias = $4, member_tier = $5, billing_cycle = $6,
      expire_date = $7, \(keeping("payment_method", "$8", .payMethod)), ftc_plan_id = $9,
      stripe_subscription_id = $10, stripe_plan_id = $11, b2b_licence_id = $12,
      auto_renewal = $13, sub_status = $14, apple_subscription_id = $15,
      \(keeping("vip_type", "$16", .oldType)), \(keeping("expire_time", "$17", .oldTime))
    WHERE vip_id = $18
    RETURNING \(membershipColumns)
    """)

  private static func keeping(
    _ column: String, _ value: String, _ kept: KeptColumns
  ) -> String {
    "\(column) = CASE WHEN ($19 & \(kept.rawValue)) = 0 THEN \(value) ELSE \(column) END"
  }

  static let deleteMembership = SQLStatement(
    "membership_delete", "DELETE FROM ftc_vip WHERE vip_id = $1")

  // From the row itself, as it is stored; what the row does not have, or all if there is none, is from
  // the membership. MAX, of at most one row, gives one row in any case.
  static let recordSnapshot = SQLStatement(
    "snapshot_record",
    """
    INSERT INTO member_snapshot (id, created_by, created_utc, compound_id, ftc_user_id,
      wx_union_id, tier, cycle, expire_date, payment_method, ftc_plan_id,
      stripe_subscription_id, stripe_plan_id, b2b_licence_id, auto_renewal, sub_status,
      apple_subscription_id)
    SELECT $1, $2, $3, $4, \(copied("ftc_user_id", "$5")), \(copied("wx_union_id", "$6")),
      \(copied("member_tier", "$7")), \(copied("billing_cycle", "$8")),
      \(copied("expire_date", "$9")), \(copied("payment_method", "$10")),
      \(copied("ftc_plan_id", "$11")), \(copied("stripe_subscription_id", "$12")),
      \(copied("stripe_plan_id", "$13")), \(copied("b2b_licence_id", "$14")),
      COALESCE(MAX(auto_renewal), $15), \(copied("sub_status", "$16")),
      \(copied("apple_subscription_id", "$17"))
    FROM ftc_vip WHERE vip_id = $18
    """)

  private static func copied(_ column: String, _ value: String) -> String {
    "COALESCE(MAX(NULLIF(\(column), '')), \(value))"
  }

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
