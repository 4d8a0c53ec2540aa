// What the host's support did by hand; all of it is ours.
extension SQLCapability {
  static func acts(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE TABLE support_act (
        id \(types.serial),
        form \(types.word) NOT NULL,
        member \(types.text) NOT NULL,
        kind \(types.text) NOT NULL,
        account \(types.user),
        data \(types.long) NOT NULL,
        created_ms \(types.int) NOT NULL,
        result \(types.text))
      """,
      "CREATE UNIQUE INDEX support_act_form ON support_act (form)",
      "CREATE INDEX support_act_account ON support_act (account, id)",
    ]
  }
}
