internal import SQLStorage

extension ServerLink {
  /// Runs a statement once for each list of values, after `begin` if that is given, in one exchange
  /// with the server.
  ///
  /// - Returns: The last answer.
  func run(
    after begin: String?, _ statement: SQLStatement, _ rows: [ParameterTexts]
  ) throws(ServerFailure) -> ServerReply? {
    if let begin { try send(command: begin) }
    for row in rows { try send(statement, row) }
    return try finish()
  }

  /// Runs a command without values.
  func run(command: String) throws(ServerFailure) -> ServerReply? {
    try send(command: command)
    return try finish()
  }
}
