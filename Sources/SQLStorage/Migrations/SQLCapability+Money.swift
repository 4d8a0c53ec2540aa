// Prices of charges, and the figures that are made of them; all of it is ours.
extension SQLCapability {
  static func prices(_ types: SQLTypes) -> [String] {
    [
      "price \(types.int)", "currency \(types.text)", "country \(types.text)",
      "revocation_percentage \(types.int)",
    ].map { "ALTER TABLE apple_transaction ADD COLUMN \($0)" }
  }

  static func moneyTables(_ types: SQLTypes) -> [String] {
    let figure = """
        environment \(types.word) NOT NULL,
        day \(types.int) NOT NULL,
        measure \(types.word) NOT NULL,
        vendor \(types.word) NOT NULL,
        product_id \(types.id) NOT NULL,
        country \(types.text(upTo: 8)) NOT NULL,
        currency \(types.text(upTo: 8)) NOT NULL,
        cohort \(types.int) NOT NULL,
        month \(types.int) NOT NULL,
        amount \(types.int) NOT NULL
      """
    return [
      """
      CREATE TABLE money_source (
        source \(types.text(upTo: 512)) NOT NULL \(types.key("money_source_pkey")),
        counted \(types.long),
        turns \(types.int) NOT NULL)
      """,
      """
      CREATE TABLE money_change (
        id \(types.serial),
      \(figure))
      """,
      "CREATE INDEX money_change_day ON money_change (environment, day)",
      """
      CREATE TABLE money_sum (
      \(figure),
        CONSTRAINT money_sum_pkey PRIMARY KEY (environment, day, measure, vendor, product_id,
          country, currency, cohort))\(types.keyed)
      """,
    ]
  }
}
