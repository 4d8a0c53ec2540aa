import ReceiptModels

struct Options {
  var database: Database
  /// The user whose ledger is checked; nil for all.
  var user: AccountID?
  /// The databases of a MariaDB server in which tables lie, by the tables' names.
  var tableDatabases: [String: String] = [:]

  static let usage = """
    usage: audit-ledger [--user ID] [--table-database TABLE=DATABASE]... DATABASE

    Checks that balances, ledgers and transactions of credits agree, and prints one JSON object a
    line for each contradiction. DATABASE is sqlite:FILE, postgres://… or mysql://…; it is read
    while others use it, in memory that does not grow with it, and neither created nor changed,
    but for the rows by which all that connect agree on the writer of a Galera cluster.

      --user ID    check one user only
      --table-database TABLE=DATABASE
                   a table of mysql://… that lies in another database, as the server's setting
                   names it; as often as needed

    Exit status: 0 when all is as it should be, 1 when anything is not, 64 on usage errors, 69 when
    the database is not there or cannot be read.

    """

  init(_ arguments: some Sequence<String>) throws(UsageFailure) {
    var words: [String] = []
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--user":
        guard let text = arguments.next() else { throw UsageFailure("--user needs a value") }
        guard let user = try? AccountID(text), user.rawValue == text else {
          throw UsageFailure("--user takes 1 to 128 visible ASCII characters")
        }
        self.user = user
      case "--table-database":
        let words = arguments.next()?.split(separator: "=", omittingEmptySubsequences: false)
        guard let words, words.count == 2, !words.contains("") else {
          throw UsageFailure("--table-database takes TABLE=DATABASE")
        }
        tableDatabases[String(words[0])] = String(words[1])
      case _ where argument.hasPrefix("-"): throw UsageFailure("there is no option \(argument)")
      default: words.append(argument)
      }
    }
    guard let word = words.first else { throw UsageFailure("no database is named") }
    guard words.count == 1 else { throw UsageFailure("more than one database is named") }
    database = try Database(word)
    if case .mariadb = database { return }
    guard tableDatabases.isEmpty else {
      throw UsageFailure("--table-database is for mysql://…")
    }
  }
}

struct UsageFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
