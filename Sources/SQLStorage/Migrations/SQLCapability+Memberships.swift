// The tables of memberships and their history. Columns marked as ours are not in
// `Documentation/rules/linking-rules.md`.
extension SQLCapability {
  static func membershipTables(_ types: SQLTypes) -> [String] {
    [membership(types)] + uniqueMembershipColumns.flatMap { uniqueIndex($0, types) }
      + [snapshot(types), claim("apple_cheat", types), claim("apple_unlink_archive", types)]
      + types.uniqueIndices(["id"], of: "member_snapshot")
      + historyIndices(types)
  }

  private static func membership(_ types: SQLTypes) -> String {
    """
    CREATE TABLE ftc_vip (
      vip_id \(types.wide) NOT NULL \(types.key("ftc_vip_vip_id")),
      id \(types.wide),
      ftc_user_id \(types.wide),
      wx_union_id \(types.wide),
      vip_id_alias \(types.wide),
      member_tier \(types.text),
      billing_cycle \(types.text),
      expire_date \(types.text),
      payment_method \(types.text),
      ftc_plan_id \(types.text),
      stripe_subscription_id \(types.wide),
      stripe_plan_id \(types.text),
      b2b_licence_id \(types.wide),
      auto_renewal \(types.flag),
      sub_status \(types.text),
      apple_subscription_id \(types.wide),
      vip_type \(types.int),
      expire_time \(types.int))\(types.keyed)
    """
  }

  private static let uniqueMembershipColumns = [
    "id", "ftc_user_id", "wx_union_id", "vip_id_alias", "stripe_subscription_id",
    "apple_subscription_id", "b2b_licence_id",
  ]

  // An empty text counts as null, and rows of earlier programs have some. Queries repeat the condition,
  // or the database would not use the index.
  private static func uniqueIndex(_ column: String, _ types: SQLTypes) -> [String] {
    let (mark, condition) = ("has_\(column)", "\(column) <> ''")
    return types.mark(mark, of: "ftc_vip", where: condition) + [
      """
      CREATE UNIQUE INDEX ftc_vip_\(column) ON ftc_vip (\(column)\(types.mark(mark)))\(
        types.rows(where: condition, after: " "))
      """
    ]
  }

  // Ours: number, which orders copies of the same second.
  private static func snapshot(_ types: SQLTypes) -> String {
    """
    CREATE TABLE member_snapshot (
      number \(types.serial),
      id \(types.user) NOT NULL\(types.unique("member_snapshot_id")),
      created_by \(types.text) NOT NULL,
      created_utc \(types.int) NOT NULL,
      order_id \(types.text),
      compound_id \(types.wide) NOT NULL,
      ftc_user_id \(types.text),
      wx_union_id \(types.wide),
      tier \(types.text),
      cycle \(types.text),
      expire_date \(types.text),
      payment_method \(types.text),
      ftc_plan_id \(types.text),
      stripe_subscription_id \(types.text),
      stripe_plan_id \(types.text),
      auto_renewal \(types.flag) NOT NULL,
      sub_status \(types.text),
      apple_subscription_id \(types.wide),
      b2b_licence_id \(types.text))
    """
  }

  private static func claim(_ table: String, _ types: SQLTypes) -> String {
    """
    CREATE TABLE \(table) (
      id \(types.serial),
      original_transaction_id \(types.id) NOT NULL,
      ftc_user_id \(types.user) NOT NULL,
      created_utc \(types.int) NOT NULL)
    """
  }

  private static func historyIndices(_ types: SQLTypes) -> [String] {
    ["CREATE INDEX member_snapshot_compound_id ON member_snapshot (compound_id)"]
      + ["wx_union_id", "apple_subscription_id"].map { column in
        """
        CREATE INDEX member_snapshot_\(column) ON member_snapshot (\(column))\(
          types.rows(where: "\(column) IS NOT NULL"))
        """
      }
      + ["apple_cheat", "apple_unlink_archive"].flatMap { table in
        ["original_transaction_id", "ftc_user_id"].map { column in
          "CREATE INDEX \(table)_\(column) ON \(table) (\(column))"
        }
      }
  }
}
