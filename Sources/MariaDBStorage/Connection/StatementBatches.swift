internal import SQLStorage

/// The commands of a connection that each run statements in an order, by these.
struct StatementBatches {
  /// Statements in their order, by number, and whether a commit follows.
  struct Key: Hashable {
    private let numbers: [Int]
    private let commits: Bool

    /// The key of some statements; nil if they are too few or too many for a command of their own, or too long.
    init?(_ calls: [SQLCall], commits: Bool) {
      guard calls.count > (commits ? 0 : 1), calls.count <= StatementBatches.longest,
        calls.reduce(0, { $0 + $1.textBytes }) <= StatementBatches.mostBytes
      else { return nil }
      numbers = calls.map(\.statement.number)
      self.commits = commits
    }
  }

  /// The maximum number of statements in a command.
  static let longest = 16
  /// The server refuses a command of more than `max_allowed_packet`, which is 16 MiB, and writes texts into the statements.
  fileprivate static let mostBytes = 1 << 20
  private static let most = 40

  private var commands: [Key: PreparedStatement] = [:]

  var isEmpty: Bool { commands.isEmpty }

  subscript(key: Key) -> PreparedStatement? {
    get { commands[key] }
    set {
      // The server keeps each in its memory. Those that are still in use come again.
      if commands.count >= Self.most { commands = [:] }
      commands[key] = newValue
    }
  }
}

extension SQLCall {
  /// The number of bytes in its texts.
  fileprivate var textBytes: Int {
    values.reduce(0) { bytes, value in
      if case .text(let text) = value { bytes + text.utf8.count } else { bytes }
    }
  }
}

extension SQLStatement {
  static let beginReading = SQLStatement(
    "reading_begin", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

  /// The number of the one of several statements that met a duplicate key.
  static let duplicate = SQLStatement("duplicate", "SELECT CAST(@duplicate AS BIGINT)")
}
