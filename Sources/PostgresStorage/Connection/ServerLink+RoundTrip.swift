internal import SQLStorage

extension ServerLink {
  /// Runs a statement once for each list of values, after `begin` if that is given, in one exchange
  /// with the server.
  ///
  /// - Returns: The last answer.
  func run(
    after begin: SQLStatement?, _ statement: SQLStatement, _ rows: [ParameterTexts]
  ) throws(ServerFailure) -> ServerReply? {
    if let begin { try send(begin, .none) }
    for row in rows { try send(statement, row) }
    return try finish()
  }

  /// Runs a statement without values.
  func run(_ statement: SQLStatement) throws(ServerFailure) -> ServerReply? {
    try send(statement, .none)
    return try finish()
  }
}
