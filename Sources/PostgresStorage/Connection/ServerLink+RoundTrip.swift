internal import SQLStorage

extension ServerLink {
  /// Runs a statement with all that was sent before it, in one exchange with the server.
  ///
  /// - Returns: Its answer.
  func run(
    _ statement: SQLStatement, _ values: ParameterTexts = .none
  ) throws(ServerFailure) -> ServerReply? {
    try send(statement, values)
    return try finish()
  }
}
