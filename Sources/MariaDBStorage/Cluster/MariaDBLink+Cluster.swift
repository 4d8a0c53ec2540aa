internal import SQLStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The connection to a node of a Galera cluster. Each step is a transaction of its own.
extension MariaDBLink {
  /// Returns the node, if it is one that can take what is written.
  ///
  /// - Throws: A failure that another node may not have, or one for good.
  func node(waitingForDisk waitsForDisk: Bool) throws(ServerFailure) -> Node {
    guard ServerTraits.isMariaDB(server) else {
      throw ServerFailure(.other(code: 0, detail: "the server is not MariaDB"))
    }
    // Also what is only read waits for all that the cluster has committed.
    try run("SET SESSION wsrep_sync_wait = 15, wsrep_trx_fragment_size = 0")
    guard let row = try rows(of: SQLCall(.node, [])).first, row.count == 7 else {
      throw .lost("the node does not tell its state")
    }
    try commitStep()
    guard row[1] == .text("ON") else {
      throw ServerFailure(
        .other(code: 0, detail: "several hosts are named, and this one is no node of Galera"),
        cause: .lost)
    }
    guard row[2] == .text("ON"), row[3] == .text("Primary"), row[4] == .text("Synced"),
      case .text(let name) = row[0], case .text(let id) = row[6], !id.isEmpty
    else {
      throw .lost("the node is not in step with its cluster")
    }
    guard !waitsForDisk || ServerTraits.isDurable(row[5]) else {
      throw .lost("a crash of the node may lose commits")
    }
    return Node(id: id, name: name)
  }

  /// Returns the node that takes what is written; where there was none yet, this one.
  func writer(orFirst node: Node) throws(ServerFailure) -> Writer {
    if let writer = try namedWriter() { return writer }
    for statement in SQLStatement.createCluster { try run(statement.sql) }
    _ = try execute(SQLCall(.nameFirst, [.text(node.id), .text(node.name)]))
    try commitStep()
    guard let writer = try namedWriter() else { throw .lost("the cluster has no writer") }
    return writer
  }

  private func namedWriter() throws(ServerFailure) -> Writer? {
    guard try !rows(of: SQLCall(.findCluster, [])).isEmpty else { return nil }
    let row = try rows(of: SQLCall(.writer, [])).first
    try commitStep()
    guard let row, row.count == 2, case .text(let node) = row[0], case .integer(let term) = row[1]
    else { return nil }
    return Writer(node: node, term: term)
  }

  /// Makes this node the writer in the place of another, and ends the rows of all connections.
  func takeOver(by node: Node, from old: Writer) throws(ServerFailure) -> Writer {
    let values: [SQLValue] = [.text(node.id), .text(node.name), .integer(old.term)]
    guard try execute(SQLCall(.nameWriter, values)) == 1 else {
      try run("ROLLBACK")
      throw .inMotion
    }
    _ = try execute(SQLCall(.endConnections, []))
    try commitStep()
    return Writer(node: node.id, term: old.term + 1)
  }

  /// Gives this connection its row.
  ///
  /// It changes the writer's row too, so that it cannot pass a change of the writer.
  func register(at writer: Writer) throws(ServerFailure) {
    let row = UUID().uuidString
    _ = try execute(SQLCall(.addConnection, [.text(row)]))
    guard
      try execute(SQLCall(.countConnection, [.text(writer.node), .integer(writer.term)])) == 1
    else {
      try run("ROLLBACK")
      throw .inMotion
    }
    try commitStep()
    sentCommit = SentCommit(row: row, number: 0)
    _ = try execute(SQLCall(.removeConnections, []))
    try commitStep()
  }

  /// Notes a commit in the row of this connection; the server refuses it if the row has ended.
  func markCommit() throws(ServerFailure) {
    guard let last = sentCommit else { return }
    let next = SentCommit(row: last.row, number: last.number + 1)
    sentCommit = next
    guard try execute(SQLCall(.mark, [.integer(next.number), .text(next.row)])) == 1 else {
      throw .lost("another node is the writer")
    }
  }

  /// Ends the row of another connection, after the transaction that changes it, and tells whether a commit of that
  /// number took place.
  func end(_ commit: SentCommit) throws(ServerFailure) -> Bool {
    do throws(ServerFailure) {
      guard
        case .integer(let last)? = try rows(of: SQLCall(.lockMark, [.text(commit.row)])).first?
          .first
      else { throw ServerFailure(.other(code: 0, detail: "the commit's row is not there")) }
      _ = try execute(SQLCall(.endConnection, [.text(commit.row)]))
      try commitStep()
      return last >= commit.number
    } catch {
      if error.cause != .lost { try run("ROLLBACK") }
      throw error
    }
  }

  private func commitStep() throws(ServerFailure) { try run("COMMIT") }
}

extension SQLStatement {
  fileprivate static let node = SQLStatement(
    "cluster_node",
    """
    SELECT @@wsrep_node_name, IF(@@wsrep_on, 'ON', 'OFF'),
      (SELECT variable_value FROM information_schema.global_status
        WHERE variable_name = 'WSREP_READY'),
      (SELECT variable_value FROM information_schema.global_status
        WHERE variable_name = 'WSREP_CLUSTER_STATUS'),
      (SELECT variable_value FROM information_schema.global_status
        WHERE variable_name = 'WSREP_LOCAL_STATE_COMMENT'),
      CAST(@@innodb_flush_log_at_trx_commit AS CHAR),
      (SELECT variable_value FROM information_schema.global_status
        WHERE variable_name = 'WSREP_GCOMM_UUID')
    """)

  fileprivate static let findCluster = SQLStatement(
    "cluster_find",
    """
    SELECT 1 FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name = 'storekeeper_writer'
    """)

  fileprivate static let createCluster = [
    SQLStatement(
      "cluster_create_connections",
      """
      CREATE TABLE IF NOT EXISTS storekeeper_commit (
        connection CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        number BIGINT NOT NULL,
        is_ended BOOLEAN NOT NULL,
        used DATE NOT NULL,
        KEY storekeeper_commit_used (used)) ENGINE = InnoDB
      """),
    SQLStatement(
      "cluster_create_writer",
      """
      CREATE TABLE IF NOT EXISTS storekeeper_writer (
        id INT NOT NULL PRIMARY KEY,
        node VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
        term BIGINT NOT NULL,
        connections BIGINT NOT NULL) ENGINE = InnoDB
      """),
  ]

  fileprivate static let nameFirst = SQLStatement(
    "cluster_name_first", "INSERT IGNORE INTO storekeeper_writer VALUES (1, $1, $2, 1, 0)")

  fileprivate static let writer = SQLStatement(
    "cluster_writer", "SELECT node, term FROM storekeeper_writer WHERE id = 1")

  fileprivate static let nameWriter = SQLStatement(
    "cluster_name_writer",
    """
    UPDATE storekeeper_writer SET node = $1, name = $2, term = term + 1 WHERE id = 1 AND term = $3
    """)

  fileprivate static let endConnections = SQLStatement(
    "cluster_end_connections",
    "UPDATE storekeeper_commit SET is_ended = TRUE WHERE is_ended = FALSE")

  fileprivate static let countConnection = SQLStatement(
    "cluster_count_connection",
    """
    UPDATE storekeeper_writer SET connections = connections + 1
    WHERE id = 1 AND node = $1 AND term = $2
    """)

  fileprivate static let addConnection = SQLStatement(
    "cluster_add_connection",
    "INSERT INTO storekeeper_commit VALUES ($1, 0, FALSE, UTC_DATE())")

  /// Nobody asks for the outcome of a commit after a day; a connection that wakes up later is replaced.
  fileprivate static let removeConnections = SQLStatement(
    "cluster_remove_connections",
    "DELETE FROM storekeeper_commit WHERE used < UTC_DATE() - INTERVAL 1 DAY")

  fileprivate static let mark = SQLStatement(
    "cluster_mark",
    """
    UPDATE storekeeper_commit SET number = $1, used = UTC_DATE()
    WHERE connection = $2 AND is_ended = FALSE
    """)

  fileprivate static let lockMark = SQLStatement(
    "cluster_lock_mark", "SELECT number FROM storekeeper_commit WHERE connection = $1 FOR UPDATE")

  fileprivate static let endConnection = SQLStatement(
    "cluster_end_connection", "UPDATE storekeeper_commit SET is_ended = TRUE WHERE connection = $1")
}
