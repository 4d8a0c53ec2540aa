public import PurchaseStorage
internal import SQLStorage

/// The reason why a store cannot keep its promises on a server.
@nonexhaustive
public enum UnsuitableServer: Error, Hashable, Sendable {
  /// Another server than MariaDB, for example MySQL, whose statements differ.
  case notMariaDB(version: String)
  /// A version before 10.6.
  case tooOld(version: String)
  /// InnoDB is not there, or is not the engine of new tables.
  case withoutInnoDB(engine: String)
  /// A node of a Galera cluster, where the URL names one host only.
  case cluster
  /// A server that takes less than 16 MiB at a time (`max_allowed_packet`), and so no receipt of 8 MiB.
  case smallPackets(size: Int)
  /// A setting with which a crash may lose commits that were acknowledged, and the value that it has.
  case losesCommits(setting: String, value: String)
}

extension UnsuitableServer: PrintableFailure, CustomStringConvertible {
  public var description: String {
    switch self {
    case .notMariaDB(let version): "the server is not MariaDB: \(version)"
    case .tooOld(let version): "the server is older than MariaDB 10.6: \(version)"
    case .withoutInnoDB(let engine): "new tables are not of InnoDB: \(engine)"
    case .cluster: "the server is a node of a Galera cluster, and the URL names one host only"
    case .smallPackets(let size): "the server takes only \(size) bytes at a time"
    case .losesCommits(let setting, let value):
      "a crash of the server may lose commits: \(setting) is \(value)"
    }
  }
}

/// What a server tells about itself.
struct ServerTraits {
  let version: String
  /// Values of variables, by their names.
  let variables: [String: String]

  /// Whether a version is one of MariaDB.
  static func isMariaDB(_ version: String) -> Bool { version.contains("MariaDB") }

  /// Reads the traits on a connection.
  init(of connection: any SQLConnection) async throws {
    let version = Self.text(try await connection.query(.serverVersion, []).first?.first)
    self.version = version
    guard Self.isMariaDB(version) else {
      variables = [:]
      return
    }
    let rows = try await connection.query(.serverVariables, [])
    variables = Dictionary(
      rows.map { (Self.text($0.first).lowercased(), Self.text($0.last)) },
      uniquingKeysWith: { $1 })
  }

  private static func text(_ value: SQLValue?) -> String {
    guard case .text(let text) = value else { return "" }
    return text
  }

  /// Checks what a store needs.
  func check(isCluster: Bool, waitsForDisk: Bool) throws(UnsuitableServer) {
    guard Self.isMariaDB(version) else { throw .notMariaDB(version: version) }
    guard isRecent else { throw .tooOld(version: version) }
    let engine = variables["default_storage_engine"] ?? ""
    guard engine == "InnoDB" else { throw .withoutInnoDB(engine: engine) }
    guard isCluster || variables["wsrep_on"] != "ON" else { throw .cluster }
    let size = variables["max_allowed_packet"].flatMap { Int($0) } ?? 0
    guard size >= 16 << 20 else { throw .smallPackets(size: size) }
    guard waitsForDisk else { return }
    try check("innodb_flush_log_at_trx_commit", Self.durable)
    // With a binary log, a restart keeps those transactions that stand in it.
    if variables["log_bin"] == "ON" { try check("sync_binlog", ["1"]) }
  }

  /// The values of `innodb_flush_log_at_trx_commit` with which a commit waits for the disk.
  private static let durable = ["1", "3"]

  static func isDurable(_ value: SQLValue) -> Bool { durable.contains(text(value)) }

  private func check(_ setting: String, _ values: [String]) throws(UnsuitableServer) {
    let value = variables[setting] ?? ""
    guard values.contains(value) else { throw .losesCommits(setting: setting, value: value) }
  }

  /// A replication proxy may put `5.5.5-` before the version.
  private var isRecent: Bool {
    let text = version.hasPrefix("5.5.5-") ? version.dropFirst(6) : version[...]
    let numbers = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap {
      Int($0)
    }
    return !numbers.lexicographicallyPrecedes([10, 6])
  }
}

extension SQLStatement {
  fileprivate static let serverVersion = SQLStatement("server_version", "SELECT VERSION()")

  fileprivate static let serverVariables = SQLStatement(
    "server_variables",
    """
    SELECT variable_name, COALESCE(session_value, global_value)
    FROM information_schema.system_variables
    WHERE variable_name IN ('DEFAULT_STORAGE_ENGINE', 'INNODB_FLUSH_LOG_AT_TRX_COMMIT',
      'WSREP_ON', 'LOG_BIN', 'SYNC_BINLOG', 'MAX_ALLOWED_PACKET')
    """)
}
