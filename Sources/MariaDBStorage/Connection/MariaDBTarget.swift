internal import JSONValues
internal import PurchaseStorage
internal import SQLStorage

/// The server of a store's connections, with their settings.
struct MariaDBTarget: ServerTarget {
  let address: MariaDBAddress
  let configuration: MariaDBStore.Configuration
  /// The nodes of a cluster, if several hosts are named.
  let nodes: ClusterNodes?

  /// Creates the target of the hosts of a URL.
  init(_ addresses: [MariaDBAddress], configuration: MariaDBStore.Configuration) throws {
    guard let first = addresses.first else { throw MariaDBAddress.invalid("connection URL") }
    address = first
    self.configuration = configuration
    nodes = ClusterNodes(addresses)
  }

  var limits: ServerLimits {
    ServerLimits(
      connections: configuration.connectionLimit, wait: configuration.waitLimit,
      reconnect: configuration.reconnectLimit, answer: answerLimit,
      outcome: nodes == nil ? .zero : configuration.outcomeLimit)
  }

  private var answerLimit: Duration? {
    guard nodes != nil else { return configuration.answerLimit }
    return min(configuration.nodeLimit, configuration.answerLimit ?? configuration.nodeLimit)
  }

  var existingTables: ExistingTables { configuration.existingTables }

  var places: TablePlaces { TablePlaces(configuration.databases) }

  func connect() throws(ServerFailure) -> MariaDBLink {
    guard let nodes else { return try open(address) }
    return try nodes.connect(waitingForDisk: configuration.waitsForDisk) {
      address throws(ServerFailure) in try open(address)
    }
  }

  private func open(_ address: MariaDBAddress) throws(ServerFailure) -> MariaDBLink {
    let link = try MariaDBLink.open(address, within: configuration.connectLimit)
    // A node that is left alone by its cluster may be silent as well.
    if nodes == nil { link.silenceLimit = answerLimit }
    link.places = places
    // Another server, which has other settings, is refused by its name.
    guard ServerTraits.isMariaDB(link.server) else { return link }
    try link.run("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin")
    try link.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
    let settings = configuration.settings.map { "\($0.name) = \($0.value)" }
    try link.run("SET SESSION \(settings.joined(separator: ", "))")
    return link
  }
}

extension MariaDBStore.Configuration {
  /// The time for which the server may be silent while an answer is due; nil for no limit.
  fileprivate var answerLimit: Duration? {
    guard let statementLimit, let silenceLimit else { return nil }
    return statementLimit + silenceLimit
  }

  /// The settings of the session; those without a limit here keep the value of the server.
  fileprivate var settings: [(name: String, value: String)] {
    let limits = [
      ("innodb_lock_wait_timeout", lockLimit.map(\.seconds)),
      ("lock_wait_timeout", lockLimit.map(\.seconds)),
      ("max_statement_time", statementLimit.map(\.seconds)),
      ("idle_transaction_timeout", idleLimit.map(\.seconds)),
    ]
    return Self.manners
      + limits.compactMap { name, seconds in seconds.map { (name: name, value: "\($0)") } }
  }

  /// What the statements of the records rest on, whatever the server's settings are.
  private static let manners = [
    (name: "autocommit", value: "0"), (name: "completion_type", value: "0"),
    (name: "default_storage_engine", value: "InnoDB"),
    (
      name: "sql_mode",
      value: """
      'ANSI_QUOTES,PIPES_AS_CONCAT,SIMULTANEOUS_ASSIGNMENT,NO_BACKSLASH_ESCAPES,\
      STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO'
      """
    ),
  ]
}
