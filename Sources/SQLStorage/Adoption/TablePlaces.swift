/// The databases of a server of MariaDB in which tables lie that are not in that of the connection.
package struct TablePlaces: Hashable, Sendable {
  /// The databases by the names of tables.
  let databases: [String: String]

  /// Creates places; the table of migrations is always in the database of the connection.
  package init(_ databases: [String: String] = [:]) {
    self.databases = databases.filter { $0.key != "storekeeper_migration" }
  }

  /// A statement with the names of databases before those of tables.
  ///
  /// No column has the name of a table.
  package func qualified(_ sql: String) -> String {
    guard !databases.isEmpty else { return sql }
    var (text, rest) = ("", sql[...])
    while let first = rest.first {
      let part: Substring
      if first == "'" || first == "\"" {
        let end = rest.dropFirst().firstIndex(of: first).map { rest.index(after: $0) }
        part = rest[..<(end ?? rest.endIndex)]
      } else {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        part = word.isEmpty ? rest.prefix(1) : word
        if let database = databases[String(word)], text.last != "." {
          text += "\"\(database.replacing("\"", with: "\"\""))\"."
        }
      }
      text += part
      rest = rest[part.endIndex...]
    }
    return text
  }
}
