internal import SQLStorage
internal import StorekeeperLocks

/// The nodes of a Galera cluster, of which one at a time takes what the stores of a database write.
///
/// Galera compares what the nodes wrote when transactions commit, not what they read or locked. A decision on rows
/// that another node changes meanwhile would pass. So all stores write to one node, which a row of the database
/// tells, and each connection has a row that each of its transactions changes. A store that cannot reach that node
/// makes another one the writer; the same transaction changes the rows of all connections. What is still under way on
/// the old node then fails when it commits, because both changed one row, and what begins there later finds its
/// connection's row ended.
final class ClusterNodes: Sendable {
  private let addresses: [MariaDBAddress]
  /// The position of the node that took the last connection.
  private let last = Locked(0)

  /// Creates the list of several hosts; nil for one.
  init?(_ addresses: [MariaDBAddress]) {
    guard addresses.count > 1 else { return nil }
    self.addresses = addresses
  }

  /// Connects to the writer; if it cannot be reached, makes the first node that can the writer.
  ///
  /// - Parameters:
  ///   - waitsForDisk: Whether a node is passed over whose crash may lose commits.
  ///   - open: Opens a connection and applies its settings.
  /// - Returns: A connection that has its row.
  /// - Throws: The failure of the last node that was tried, or one for good.
  func connect(
    waitingForDisk waitsForDisk: Bool,
    _ open: (MariaDBAddress) throws(ServerFailure) -> MariaDBLink
  ) throws(ServerFailure) -> MariaDBLink {
    let first = last.withLock { $0 }
    let order = (0..<addresses.count).map { ($0 + first) % addresses.count }
    var failure = ServerFailure.lost("no node of the cluster can be reached")
    var refusal: ServerFailure?
    var other: (position: Int, link: MariaDBLink, node: Node, writer: Writer)?
    for position in order {
      let link: MariaDBLink
      let (node, writer): (Node, Writer)
      do throws(ServerFailure) {
        link = try open(addresses[position])
        node = try link.node(waitingForDisk: waitsForDisk)
        writer = try link.writer(orFirst: node)
      } catch {
        if error.cause == .own { refusal = refusal ?? error } else { failure = error }
        continue
      }
      if writer.node == node.id { return try register(link, of: position, at: writer) }
      if other == nil { other = (position, link, node, writer) }
    }
    // A node that is full, or with which no secure connection comes about, is there, and may be the writer. Whoever chose
    // another one would move all stores.
    if let refusal { throw refusal }
    guard let (position, link, node, old) = other else {
      throw failure.cause == .conflict ? .inMotion : failure
    }
    let writer: Writer
    do throws(ServerFailure) {
      writer = try link.takeOver(by: node, from: old)
    } catch {
      throw error.cause == .conflict ? .inMotion : error
    }
    return try register(link, of: position, at: writer)
  }

  private func register(
    _ link: MariaDBLink, of position: Int, at writer: Writer
  ) throws(ServerFailure) -> MariaDBLink {
    do throws(ServerFailure) {
      try link.register(at: writer)
    } catch {
      // A further attempt asks again who the writer is.
      throw error.cause == .conflict ? .inMotion : error
    }
    last.withLock { $0 = position }
    return link
  }
}

extension ServerFailure {
  static let inMotion = ServerFailure.lost("another node became the writer meanwhile")
}

/// A node of the cluster.
struct Node: Hashable, Sendable {
  /// The identifier that the cluster gives each living node (`wsrep_gcomm_uuid`); another one after a restart.
  let id: String
  /// The name for people (`wsrep_node_name`).
  let name: String
}

/// The node that takes what is written.
struct Writer: Hashable, Sendable {
  /// The node's identifier.
  let node: String
  /// A number that grows with each change of the node.
  let term: Int64
}
