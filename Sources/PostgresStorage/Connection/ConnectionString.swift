internal import CStorekeeperPostgreSQL
internal import PurchaseStorage
internal import SQLStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The options of a connection string, with defaults.
///
/// It holds the password, so it is neither printed nor reflected.
struct ConnectionString: Sendable {
  /// The options, by libpq's keywords.
  let options: [String: String]
  /// Whether reads may go to a standby (`reads=standby`).
  let readsStandby: Bool

  /// Reads keywords and values, or a URL.
  ///
  /// - Throws: `StorageFailure.invalidValue`; never with a part of the text, which may be the
  ///   password.
  init(_ text: String) throws {
    guard text.utf8.count <= Self.longest, !text.utf8.contains(0) else {
      throw StorageFailure.invalidValue(field: "connection string")
    }
    guard !DatabaseURL.scattersPassword(text) else {
      throw StorageFailure.invalidValue(field: "connection string: an @ is not percent-encoded")
    }
    let (text, readsStandby) = Self.withoutReads(text)
    guard let given = Self.parsed(text) else {
      throw StorageFailure.invalidValue(field: "connection string")
    }
    let parsed = Self.places(of: given)
    self.readsStandby = readsStandby
    try Self.checkPlaces(parsed)
    try Self.checkHosts(parsed)
    let defaults = Self.defaults.merging(Self.isList(parsed) ? Self.ofSeveral : [:]) { $1 }
    options = defaults.merging(parsed) { _, given in given }
      .merging(["client_encoding": "UTF8"]) { _, ours in ours }
  }

  private init(options: [String: String]) {
    self.options = options
    readsStandby = false
  }

  /// Takes `reads=standby`, which libpq does not know, from the query of a URL or the end of keywords.
  private static func withoutReads(_ text: String) -> (String, Bool) {
    let option = "reads=standby"
    guard text.contains("://") else {
      guard text.hasSuffix(" " + option) else { return (text, false) }
      return (String(text.dropLast(option.count + 1)), true)
    }
    guard let mark = text.firstIndex(of: "?") else { return (text, false) }
    let parts = text[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    let others = parts.filter { $0 != option }
    guard others.count < parts.count else { return (text, false) }
    let query = others.isEmpty ? "" : "?" + others.joined(separator: "&")
    return (text[..<mark] + query, true)
  }

  private static let longest = 16_384

  /// With these a dead server is noticed within a minute, and a silent host within seconds.
  private static let defaults = [
    "fallback_application_name": "storekeeper", "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3", "tcp_user_timeout": "30000",
    "connect_timeout": ProcessInfo.processInfo.environment["PGCONNECT_TIMEOUT"] ?? "2",
  ]

  /// With several hosts it is the one that takes writes, and a dead one is noticed within seconds.
  private static let ofSeveral = [
    "target_session_attrs": "read-write", "keepalives_idle": "5", "keepalives_interval": "2",
    "tcp_user_timeout": "8000",
  ]

  private static func parsed(_ text: String) -> [String: String]? {
    guard let list = unsafe PQconninfoParse(text, nil) else { return nil }
    defer { unsafe PQconninfoFree(list) }
    var options: [String: String] = [:]
    var option = unsafe list
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe options[String(cString: keyword)] = String(cString: value)
      }
      unsafe option += 1
    }
    return options
  }

  /// Returns options with the hosts of the environment, as libpq takes them, unless there are any.
  ///
  /// Otherwise several hosts would be taken for one.
  private static func places(of options: [String: String]) -> [String: String] {
    let environment = ProcessInfo.processInfo.environment
    let given = ["host", "hostaddr", "service"].contains { options[$0] != nil }
    // A service goes before the variables of hosts.
    guard !given, environment["PGSERVICE"]?.isEmpty ?? true else { return options }
    let variables = [
      "host": "PGHOST", "hostaddr": "PGHOSTADDR", "port": "PGPORT",
      "target_session_attrs": "PGTARGETSESSIONATTRS",
    ]
    return variables.compactMapValues { environment[$0] }
      .filter { !$0.value.isEmpty }.merging(options) { _, given in given }
  }

  /// Refuses an `@` in the host, the port or the database.
  ///
  /// A URL whose password is not percent-encoded has a part of it there, and libpq's messages would
  /// show it.
  private static func checkPlaces(_ options: [String: String]) throws {
    for keyword in ["host", "hostaddr", "port", "dbname"] {
      guard let value = options[keyword], value.utf8.contains(UInt8(ascii: "@")) else { continue }
      throw StorageFailure.invalidValue(
        field: .init("connection string: \(keyword) holds an @", from: .host))
    }
  }

  /// Refuses several hosts of which others than the one that takes writes are wanted.
  private static func checkHosts(_ options: [String: String]) throws {
    guard isList(options), let wanted = options["target_session_attrs"] else { return }
    guard ["read-write", "primary"].contains(wanted) else {
      throw StorageFailure.invalidValue(
        field: "connection string: several hosts need target_session_attrs=read-write")
    }
  }

  private static func isList(_ options: [String: String]) -> Bool {
    ["host", "hostaddr"].contains { options[$0]?.utf8.contains(UInt8(ascii: ",")) ?? false }
  }

  /// The same options for each of the hosts alone.
  var hosts: [ConnectionString] {
    let lists = ["host", "hostaddr", "port"].compactMap { keyword in
      options[keyword].map { (keyword, $0.split(separator: ",", omittingEmptySubsequences: false)) }
    }
    let count = lists.filter { $0.0 != "port" }.map(\.1.count).max() ?? 1
    return (0..<count).map { number in
      var options = options
      // One port is that of all hosts.
      for (keyword, values) in lists {
        options[keyword] = String(values[min(number, values.count - 1)])
      }
      // Whether a host takes writes is asked of its server, not of a pooler before it.
      options["target_session_attrs"] = "any"
      return ConnectionString(options: options)
    }
  }

  /// The same hosts, in an order of chance, of which one that takes no writes is taken first.
  var standbys: ConnectionString {
    let hosts = hosts.shuffled()
    var options = options
    for keyword in ["host", "hostaddr", "port"] where options[keyword] != nil {
      options[keyword] = hosts.map { $0.options[keyword] ?? "" }.joined(separator: ",")
    }
    options["target_session_attrs"] = "prefer-standby"
    return ConnectionString(options: options)
  }

  /// Returns a text without the secret values.
  func redacted(_ text: String) -> String {
    var text = text
    for keyword in ["password", "sslpassword"] {
      guard let secret = options[keyword], !secret.isEmpty else { continue }
      text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "…")
    }
    return text
  }
}

extension ConnectionString: CustomStringConvertible, CustomReflectable {
  var description: String { "connection string" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
