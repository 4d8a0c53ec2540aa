/// How long the statements of a unit of work may take.
enum StatementLimit {
  case configured
  /// As long as they need: migrations.
  case none
}
