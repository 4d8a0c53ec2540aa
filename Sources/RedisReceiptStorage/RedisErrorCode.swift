/// The first word of an error that a server replied.
///
/// Source: <https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors>.
public enum RedisErrorCode: String, Hashable, Sendable, CaseIterable {
  /// The memory limit of the server is reached, and its policy removes nothing.
  case outOfMemory = "OOM"
  /// The user lacks the permission for a command or a key.
  case noPermission = "NOPERM"
  /// The user is unknown or disabled, or the password is wrong.
  case wrongPassword = "WRONGPASS"
  /// The server wants a password, and none is configured.
  case authenticationRequired = "NOAUTH"
  /// A key holds a value of another type.
  case wrongType = "WRONGTYPE"
  /// The server accepts no writes because it cannot save its data.
  case cannotSave = "MISCONF"
  /// The server is a replica, which accepts no writes.
  case readOnly = "READONLY"
  /// The server is reading its data after a start.
  case loading = "LOADING"
  /// The server has too few replicas to accept writes.
  case tooFewReplicas = "NOREPLICAS"
  /// The server is a replica that has lost its primary.
  case primaryDown = "MASTERDOWN"
  /// A script of another client keeps the server busy.
  case busy = "BUSY"
  /// The key belongs to another node of the cluster.
  case moved = "MOVED"
  /// The cluster has no node for the key.
  case clusterDown = "CLUSTERDOWN"
  /// An error without a word of its own, such as an unknown command or a database out of range.
  case unspecified = "ERR"
  /// Any other word.
  case other = ""

  /// Creates the code of an error's text; a word that is none of these is ``other``.
  init(text: some Sequence<UInt8>) {
    let word = text.prefix(16).prefix { $0 != UInt8(ascii: " ") }
    self = Self.allCases.first { Array($0.rawValue.utf8) == Array(word) } ?? .other
  }
}

extension RedisErrorCode: CustomStringConvertible {
  public var description: String { self == .other ? "other" : rawValue }
}
