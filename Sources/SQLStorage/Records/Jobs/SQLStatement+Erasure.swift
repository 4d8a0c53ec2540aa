internal import PurchaseStorage
internal import ReceiptModels

// The first two parameters are the identifiers of an account, the third and fourth what stands in their place. Those
// whose names begin with `erase_scan` go through a whole table: no index knows its accounts.

extension SQLStatement {
  fileprivate static func isOwn(_ column: String) -> String { "\(column) IN ($1, $2)" }

  fileprivate static func renamed(_ column: String) -> String {
    "\(column) = CASE \(column) WHEN $1 THEN $3 WHEN $2 THEN $4 ELSE \(column) END"
  }

  // MARK: Traces

  static let tracesOfSubscriptions = SQLStatement(
    "erase_traces_subscriptions",
    """
    SELECT original_transaction_id, environment FROM apple_subscription
    WHERE \(isOwn("ftc_user_id"))
    """)

  static let tracesOfMemberships = SQLStatement(
    "erase_traces_memberships",
    """
    SELECT s.original_transaction_id, s.environment FROM ftc_vip v
    JOIN apple_subscription s ON s.original_transaction_id = v.apple_subscription_id
    WHERE \(isMember("v."))
    """)

  /// Those that nobody has linked since.
  static let tracesOfUnlinks = SQLStatement(
    "erase_scan_traces_unlinks",
    """
    SELECT s.original_transaction_id, s.environment FROM apple_unlink_archive u
    JOIN apple_subscription s ON s.original_transaction_id = u.original_transaction_id
    WHERE \(isOwn("u.ftc_user_id")) AND s.ftc_user_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM ftc_vip v
        WHERE v.apple_subscription_id = u.original_transaction_id
          AND v.apple_subscription_id <> '')
    """)

  static let tracesOfAssociations = SQLStatement(
    "erase_traces_associations",
    """
    SELECT original_transaction_id, environment FROM store_associations
    WHERE \(isOwn("user_id"))
    """)

  static let tracesOfCredits = SQLStatement(
    "erase_traces_credits",
    """
    SELECT original_transaction_id, environment FROM apple_iap_transactions
    WHERE user_id IS NOT NULL AND \(isOwn("user_id"))
    """)

  static let tracesOfOrders = SQLStatement(
    "erase_traces_orders",
    "SELECT purchase_key, vendor FROM user_subscriptions WHERE \(isOwn("user_id"))")

  static let tracesOfClaims = SQLStatement(
    "erase_scan_traces_claims",
    "SELECT purchase_key, vendor FROM subscription_claims WHERE \(isOwn("user_id"))")

  static let tracesOfTokens = SQLStatement(
    "erase_traces_tokens",
    """
    SELECT app_account_token FROM apple_transaction
    WHERE original_transaction_id = $1 AND environment = $2 AND app_account_token IS NOT NULL
    """)

  static let tracesOfPackTokens = SQLStatement(
    "erase_traces_pack_tokens",
    """
    SELECT app_account_token FROM apple_iap_transactions
    WHERE user_id IS NOT NULL AND \(isOwn("user_id")) AND app_account_token IS NOT NULL
    """)

  // MARK: Purchases

  static let eraseReceipt = SQLStatement(
    "erase_receipt",
    "DELETE FROM apple_receipt WHERE original_transaction_id = $1 AND environment = $2")

  static let eraseSessions = SQLStatement(
    "erase_sessions",
    """
    DELETE FROM apple_verification_session
    WHERE original_transaction_id = $1 AND environment = $2
    """)

  /// A question that waits is not answered, as nobody consents any more.
  static let eraseAnswers = SQLStatement(
    "erase_scan_answers",
    """
    UPDATE apple_consumption_request SET answer = NULL, proposed_answer = NULL,
      state_ms = CASE WHEN state = 'waiting' THEN $3 ELSE state_ms END,
      state = CASE WHEN state = 'waiting' THEN 'declined' ELSE state END
    WHERE original_transaction_id = $1 AND environment = $2
      AND (answer IS NOT NULL OR state = 'waiting')
    """)

  static let eraseToken = SQLStatement(
    "erase_token",
    """
    UPDATE apple_transaction SET app_account_token = NULL
    WHERE original_transaction_id = $1 AND environment = $2 AND app_account_token = $3
    """)

  static let eraseCreditToken = SQLStatement(
    "erase_credit_token", "UPDATE apple_iap_transactions SET app_account_token = NULL WHERE id = $1"
  )

  // MARK: Subscriptions

  static let eraseOwner = SQLStatement(
    "erase_owner",
    """
    UPDATE apple_subscription SET ftc_user_id = NULL, updated_utc = $3
    WHERE \(isOwn("ftc_user_id"))
    """)

  // Rows of earlier programs have empty texts, which the indices leave out.
  fileprivate static func isMember(_ table: String = "") -> String {
    """
    (\(isOwn("\(table)vip_id"))
      OR (\(table)ftc_user_id <> '' AND \(isOwn("\(table)ftc_user_id")))
      OR (\(table)wx_union_id <> '' AND \(isOwn("\(table)wx_union_id"))))
    """
  }

  // MARK: Starter packs

  static let starterClaimsOfUser = SQLStatement(
    "erase_scan_starters",
    """
    SELECT email_identity FROM register_bonus_claims WHERE \(isOwn("user_id"))
    ORDER BY email_identity
    """)

  static let eraseStarterClaim = SQLStatement(
    "erase_starter",
    """
    UPDATE register_bonus_claims SET email_identity = $2,
      user_id = CASE user_id WHEN $3 THEN $5 ELSE $6 END
    WHERE email_identity = $1 AND user_id IN ($3, $4)
    """)

  static let eraseEntryToken = SQLStatement(
    "erase_entry_token",
    """
    UPDATE credit_ledger SET metadata = REPLACE(metadata, $1, 'null')
    WHERE user_id IN ($2, $3) AND REPLACE(metadata, $1, '') <> metadata
    """)

  // MARK: Messages

  static let eraseForward = SQLStatement("erase_forward", "DELETE FROM outbox WHERE id = $1")

  // MARK: Events

  static let eraseMention = SQLStatement(
    "erase_scan_mention",
    """
    UPDATE host_event SET data = REPLACE(data, $1, $2) WHERE REPLACE(data, $1, '') <> data
    """)
}

extension ErasingStatement {
  private static func delete(
    _ kind: ErasedKind, _ name: String, from table: String, where condition: String
  ) -> ErasingStatement {
    .removing(kind, SQLStatement("erase_" + name, "DELETE FROM \(table) WHERE \(condition)"))
  }

  private static func rename(
    _ kind: ErasedKind, _ name: String, in table: String, _ columns: String...
  ) -> ErasingStatement {
    let changes = columns.map { SQLStatement.renamed($0) }.joined(separator: ", ")
    let isOwn = columns.map { SQLStatement.isOwn($0) }.joined(separator: " OR ")
    return .renaming(
      kind, SQLStatement("erase_" + name, "UPDATE \(table) SET \(changes) WHERE \(isOwn)"))
  }

  private static let user = SQLStatement.isOwn("user_id")

  static let eraseOrders = delete(.orders, "orders", from: "user_subscriptions", where: user)
  static let eraseClaims = delete(.claims, "scan_claims", from: "subscription_claims", where: user)

  static let eraseAssociations = delete(
    .associations, "associations", from: "store_associations", where: user)
  static let eraseConflicts = rename(
    .disputes, "scan_conflicts", in: "store_association_conflicts", "owner", "claimant")
  static let eraseValidations = delete(
    .validations, "validations", from: "store_validation", where: user)
  static let eraseAcquisitions = delete(
    .acquisitions, "acquisitions", from: "store_acquired", where: user)

  static let eraseMemberships = delete(
    .memberships, "memberships", from: "ftc_vip", where: SQLStatement.isMember())
  static let eraseSnapshots = delete(
    .snapshots, "snapshots", from: "member_snapshot",
    where: """
      \(SQLStatement.isOwn("compound_id"))
        OR (wx_union_id IS NOT NULL AND \(SQLStatement.isOwn("wx_union_id")))
      """)
  static let eraseDisputes = rename(.disputes, "disputes", in: "apple_cheat", "ftc_user_id")
  static let eraseUnlinks = delete(
    .unlinks, "unlinks", from: "apple_unlink_archive",
    where: SQLStatement.isOwn("ftc_user_id"))

  static let eraseCreditPurchases = ErasingStatement.renaming(
    .creditPurchases,
    SQLStatement(
      "erase_credit_purchases",
      """
      UPDATE apple_iap_transactions SET \(SQLStatement.renamed("user_id")), app_account_token = NULL
      WHERE user_id IS NOT NULL AND \(user)
      """))
  static let eraseCreditAccounts = rename(
    .creditAccounts, "credit_accounts", in: "credit_account", "user_id")
  static let eraseCreditEntries = rename(
    .creditEntries, "credit_entries", in: "credit_ledger", "user_id")

  static let eraseTransfers = rename(
    .transfers, "scan_transfers", in: "purchase_transfer", "previous_owner", "owner")

  private static let owed = OutboxMessage.Kind.owedToStores.map { "'\($0.rawValue)'" }
    .joined(separator: ", ")
  private static let addressee =
    "(\(SQLStatement.isOwn("ftc_user_id")) OR \(SQLStatement.isOwn("union_id")))"

  static let eraseStoreMessages = ErasingStatement.removing(
    .storeMessages,
    SQLStatement(
      "erase_scan_store_messages",
      """
      UPDATE outbox SET ftc_user_id = NULL, union_id = NULL
      WHERE \(addressee) AND kind IN (\(owed))
      """))
  static let eraseMessages = delete(
    .messages, "scan_messages", from: "outbox", where: addressee)
  static let eraseEvents = delete(
    .events, "events", from: "host_event", where: SQLStatement.isOwn("account"))

  /// The reason may tell of the customer.
  static let eraseActs = ErasingStatement.renaming(
    .supportActs,
    SQLStatement(
      "erase_acts",
      """
      UPDATE support_act SET \(SQLStatement.renamed("account")), data = '{}'
      WHERE \(SQLStatement.isOwn("account"))
      """))

  /// All of them.
  static let all: [ErasingStatement] = [
    eraseOrders, eraseClaims, eraseAssociations, eraseConflicts, eraseValidations,
    eraseAcquisitions, eraseMemberships, eraseSnapshots, eraseDisputes, eraseUnlinks,
    eraseCreditPurchases, eraseCreditAccounts, eraseCreditEntries, eraseTransfers,
    eraseStoreMessages, eraseMessages, eraseEvents, eraseActs,
  ]
}

extension ListStatement {
  /// The purchases of which a charge has one of some tokens.
  static let tracesOfMarked = ListStatement(
    "erase_scan_traces_marked", column: "app_account_token", parameter: "$1", lock: ""
  ) {
    "SELECT DISTINCT original_transaction_id, environment FROM apple_transaction WHERE \($0)"
  }

  /// The messages that forward a notification about one of some purchases.
  static let forwardsOfPurchases = ListStatement(
    "erase_scan_forwards", column: "original_transaction_id", parameter: "$1", lock: ""
  ) {
    let prefix = OutboxMessage.Kind.forwardPrefix
    return """
      SELECT id FROM outbox WHERE \($0) AND SUBSTR(kind, 1, \(prefix.utf8.count)) = '\(prefix)'
      """
  }

  /// The packs of nobody that have one of some tokens.
  static let markedPacks = ListStatement(
    "erase_scan_marked_packs", column: "app_account_token", parameter: "$1", lock: ""
  ) {
    "SELECT id FROM apple_iap_transactions WHERE user_id IS NULL AND \($0)"
  }
}

extension SQLStatement {
  /// The statements of an erasure.
  static let erasing: [SQLStatement] =
    ErasingStatement.all.map(\.statement) + [
      tracesOfSubscriptions, tracesOfMemberships, tracesOfUnlinks, tracesOfAssociations,
      tracesOfCredits, tracesOfOrders, tracesOfClaims, tracesOfTokens, tracesOfPackTokens,
      eraseReceipt, eraseSessions,
      eraseAnswers, eraseToken, eraseCreditToken, eraseOwner, starterClaimsOfUser,
      eraseStarterClaim, eraseEntryToken, eraseForward, eraseMention,
    ]
}
