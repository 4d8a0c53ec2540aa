// Contract on linking, section 4.6; both columns are ours.
extension SQLMigrations {
  // Most of what Apple says again did not change, but for the moment. So the moment stands here, once
  // for all transactions of the subscription, and once for its receipt: a transaction or a receipt is as
  // of its own as_of_ms or of this, whichever is later.
  static func answerStamps(_ types: SQLTypes) -> [String] {
    [
      "ALTER TABLE apple_subscription ADD COLUMN transactions_as_of_ms \(types.int)",
      "ALTER TABLE apple_subscription ADD COLUMN receipt_as_of_ms \(types.int)",
    ]
  }
}
