internal import PurchaseStorage
internal import SQLStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The place of a database, with the user and the password.
///
/// It holds the password, so it is neither printed nor reflected.
struct MariaDBAddress: Sendable {
  /// The protection of the connection.
  enum Security: String {
    case disabled, required
    case verifyAuthority = "verify-ca"
    case verifyIdentity = "verify-identity"
  }

  let host: String
  let port: UInt32
  let socket: String?
  let user: String
  let password: String?
  let database: String
  let security: Security
  /// The file with the certificates that are trusted; those of the system without it.
  let authorities: String?

  /// Reads a URL with one host or, separated by commas, the hosts of a cluster.
  ///
  /// - Throws: `StorageFailure.invalidValue`; never with a part of the URL, which may be the
  ///   password.
  static func hosts(of text: String, password: String?) throws -> [MariaDBAddress] {
    guard !DatabaseURL.scattersPassword(text) else {
      throw invalid("connection URL: an @ is not percent-encoded")
    }
    guard let scheme = text.firstRange(of: "://") else { throw invalid("connection URL") }
    let end = text[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
    let authority = text[scheme.upperBound..<end]
    let start = authority.lastIndex(of: "@").map { text.index(after: $0) } ?? authority.startIndex
    let hosts = text[start..<end].split(separator: ",", omittingEmptySubsequences: false)
    guard hosts.count <= mostHosts else { throw invalid("connection URL: too many nodes") }
    let addresses = try hosts.map {
      try MariaDBAddress("\(text[..<start])\($0)\(text[end...])", password: password)
    }
    guard addresses.count == 1 || addresses.allSatisfy({ $0.socket == nil }) else {
      throw invalid("connection URL: several nodes and a socket")
    }
    return addresses
  }

  /// Reads a URL with one host.
  ///
  /// - Throws: `StorageFailure.invalidValue`; never with a part of the URL, which may be the
  ///   password.
  private init(_ text: String, password: String?) throws {
    guard text.utf8.count <= Self.longest, !text.utf8.contains(0),
      let parts = URLComponents(string: text), ["mysql", "mariadb"].contains(parts.scheme),
      let host = parts.host, !host.isEmpty, !host.contains("@"), parts.fragment == nil,
      (1...65_535).contains(parts.port ?? Self.standardPort),
      let user = parts.user, !user.isEmpty
    else { throw Self.invalid("connection URL") }
    let database = parts.path.split(separator: "/", omittingEmptySubsequences: false)
    guard database.count == 2, database[0].isEmpty, !database[1].isEmpty else {
      throw Self.invalid("connection URL: the path is not the name of a database")
    }
    var options: [String: String] = [:]
    for item in parts.queryItems ?? [] {
      guard Self.options.contains(item.name), let value = item.value, !value.isEmpty,
        options.updateValue(value, forKey: item.name) == nil
      else { throw Self.invalid("connection URL: an option is unknown, empty or there twice") }
    }
    // Of an address of version 6 the brackets stand in the URL only.
    self.host = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
    port = UInt32(parts.port ?? Self.standardPort)
    self.user = user
    self.password = password ?? parts.password
    self.database = String(database[1])
    socket = options["socket"]
    authorities = options["ca"]
    let isLocal = socket != nil || ["localhost", "127.0.0.1", "::1"].contains(self.host)
    if let tls = options["tls"] {
      guard let security = Security(rawValue: tls) else {
        throw Self.invalid("connection URL: tls")
      }
      self.security = security
    } else {
      security = isLocal ? .disabled : .verifyIdentity
    }
    guard security != .verifyAuthority || authorities != nil else {
      throw Self.invalid("connection URL: tls=verify-ca without ca")
    }
  }

  private static let longest = 16_384
  private static let mostHosts = 16
  private static let standardPort = 3306
  private static let options: Set = ["tls", "ca", "socket"]

  static func invalid(_ name: StorageFailure.Field) -> StorageFailure {
    .invalidValue(field: name)
  }

  /// Returns a text without the password.
  func redacted(_ text: String) -> String {
    guard let password, !password.isEmpty else { return text }
    return text.split(separator: password, omittingEmptySubsequences: false).joined(separator: "…")
  }
}

extension MariaDBAddress: CustomStringConvertible, CustomReflectable {
  var description: String { "connection URL" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
