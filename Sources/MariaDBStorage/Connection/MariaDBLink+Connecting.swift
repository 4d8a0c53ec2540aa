internal import CStorekeeperMariaDB
internal import SQLStorage

extension MariaDBLink {
  /// The library is set up once, which is not safe while another thread does so.
  private static let isLibraryReady = mysql_server_init(0, nil, nil) == 0

  /// CR_PLUGIN_NOT_ALLOWED of the library.
  private static let pluginNotAllowed: UInt32 = 5010

  /// Whether the library that is loaded verifies a certificate where its name is not; from 3.4 on it verifies both or
  /// nothing.
  private static let verifiesAuthorityAlone: Bool = {
    guard let text = unsafe mysql_get_client_info() else { return false }
    let numbers = unsafe String(cString: text).split(separator: ".").prefix(2).compactMap {
      Int($0)
    }
    return numbers.count == 2 && numbers.lexicographicallyPrecedes([3, 4])
  }()

  /// Connects, for a few seconds at most.
  static func open(
    _ address: MariaDBAddress, within limit: Duration
  ) throws(ServerFailure) -> MariaDBLink {
    guard isLibraryReady, let handle = unsafe mysql_init(nil) else {
      throw .lost("out of memory")
    }
    let link = unsafe MariaDBLink(owning: handle)
    unsafe cmariadb_set_number(handle, MYSQL_OPT_CONNECT_TIMEOUT, UInt32(limit.seconds))
    // So that a server that accepts a connection and says nothing is given up as well.
    unsafe cmariadb_set_number(handle, MYSQL_OPT_READ_TIMEOUT, UInt32(limit.seconds))
    // A server that stands still takes bytes until its buffers are full.
    unsafe cmariadb_set_number(handle, MYSQL_OPT_WRITE_TIMEOUT, 10)
    unsafe cmariadb_set_text(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4")
    // A server may ask for files otherwise.
    unsafe cmariadb_set_number(handle, MYSQL_OPT_LOCAL_INFILE, 0)
    unsafe cmariadb_set_program(handle, "storekeeper")
    let protocolNumber = address.socket == nil ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET
    unsafe cmariadb_set_number(handle, MYSQL_OPT_PROTOCOL, protocolNumber.rawValue)
    unsafe secure(handle, address)
    if address.socket == nil, address.security != .verifyIdentity {
      // A server that has not shown who it is gets no password in clear text, also if it asks for one.
      unsafe cmariadb_set_text(
        handle, MARIADB_OPT_RESTRICTED_AUTH, "mysql_native_password,client_ed25519")
    }
    // With any other host the library takes no notice of the socket.
    let host = address.socket == nil ? address.host : "localhost"
    let connected = unsafe mysql_real_connect(
      handle, host, address.user, address.password, address.database, address.port,
      address.socket, 0)
    guard unsafe connected != nil else {
      // The library's text has bytes of what it sent.
      guard unsafe mysql_errno(handle) != Self.pluginNotAllowed else {
        throw ServerFailure(
          .other(
            code: Int(Self.pluginNotAllowed),
            detail: "the server asks for the password in a way that needs tls=verify-identity"))
      }
      throw unsafe ServerFailure(
        connecting: mysql_errno(handle),
        text: address.redacted(String(cString: mysql_error(handle))))
    }
    // The library goes on without, if the server has no certificate.
    guard unsafe address.security == .disabled || mysql_get_ssl_cipher(handle) != nil else {
      throw .refused("the server does not speak TLS")
    }
    link.takesBatches = ServerTraits.isMariaDB(link.server)
    return link
  }

  private static func secure(_ handle: UnsafeMutablePointer<MYSQL>, _ address: MariaDBAddress) {
    let verifiesName =
      address.security == .verifyIdentity
      || address.security == .verifyAuthority && !verifiesAuthorityAlone
    // Later versions of the library verify both unless they are told not to, also where nobody asks for TLS.
    unsafe cmariadb_set_flag(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, verifiesName ? 1 : 0)
    guard address.security != .disabled else { return }
    unsafe cmariadb_set_flag(handle, MYSQL_OPT_SSL_ENFORCE, 1)
    if let file = address.authorities {
      unsafe cmariadb_set_text(handle, MYSQL_OPT_SSL_CA, file)
    }
  }
}
