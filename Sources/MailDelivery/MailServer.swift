internal import HTTPMessages
internal import JSONValues

/// A mail server that takes e-mails for delivery by SMTP.
///
/// Certificates are verified, and TLS is 1.2 or later. Without TLS only a server on this machine is used. A proxy of
/// the environment is not used.
///
/// Source: RFC 5321, RFC 3207 (STARTTLS), RFC 4954 (AUTH), RFC 8314 (implicit TLS).
public struct MailServer: Sendable {
  /// The protection of a connection.
  public enum Security: Hashable, Sendable {
    /// TLS from the beginning, on port 465 by default.
    case tls
    /// TLS by STARTTLS, which is required, on port 587 by default.
    case startTLS
    /// None; for servers on this machine only, on port 25 by default.
    case none
  }

  /// The reason why a server cannot be used.
  @nonexhaustive
  public enum Failure: Error, Hashable, Sendable {
    /// The text is no address such as `smtps://user@host:465` or `smtp://host:587`.
    case malformedURL
    /// The host is empty, or has characters that no name has.
    case malformedHost
    /// Only a server on this machine is used without TLS.
    case encryptionRequired
    /// The user or the password is empty, or there is only one of them.
    case loginIncomplete
    /// The user or the password has a control character.
    case malformedLogin
  }

  /// The name or the address of the host; an address of IPv6 is without brackets.
  public let host: String
  public let port: UInt16
  /// The protection of a connection.
  public let security: Security
  /// The user; nil for no login.
  public let user: String?
  let password: String?

  /// The file with the certificate authorities, in PEM; nil for those of the system.
  public var certificateAuthorityFile: String?
  /// The longest time from the beginning of a delivery until the server is ready for the text of the e-mail.
  ///
  /// The time includes connecting, and waiting for another e-mail on the same connection.
  public var timeLimit: Duration = .seconds(30)
  /// The longest time for the text and the server's answer to it, which may look for spam and viruses meanwhile.
  ///
  /// It has to be long, as a server that is given up may have taken the e-mail (RFC 5321 section 4.5.3.2.6). It should
  /// end, together with ``timeLimit``, within ``/Storekeeper/OutboxDelivery/handlerLimit``, which is at most half of the
  /// lease.
  public var acceptanceLimit: Duration = .seconds(110)
  /// The time after which an unused connection is closed.
  public var idleLimit: Duration = .seconds(5)

  /// Creates a server.
  ///
  /// Without a port, that of the protection counts; without a user there is no login.
  public init(
    host: String, port: UInt16? = nil, security: Security, user: String? = nil,
    password: String? = nil
  ) throws(Failure) {
    guard Self.isHost(host) else { throw .malformedHost }
    guard security != .none || LoopbackHost.isOne(host) else { throw .encryptionRequired }
    for text in [user, password].compactMap(\.self) {
      guard !text.isEmpty else { throw .loginIncomplete }
      guard !text.unicodeScalars.contains(where: \.isControl) else { throw .malformedLogin }
    }
    guard (user == nil) == (password == nil) else { throw .loginIncomplete }
    self.host = host
    self.security = security
    self.user = user
    self.password = password
    self.port =
      port
      ?? {
        switch security {
        case .tls: 465
        case .startTLS: 587
        case .none: 25
        }
      }()
  }

  /// Creates a server from an address: `smtps://user@host:465` for TLS, `smtp://user@host:587` for STARTTLS.
  ///
  /// It has no password. The user is percent-decoded, and may be missing, as may the port. For a host on this
  /// machine, `smtp` is without TLS.
  public init(url: String, password: String? = nil) throws(Failure) {
    let isImplicit = url.hasPrefix("smtps://")
    guard isImplicit || url.hasPrefix("smtp://") else { throw .malformedURL }
    var rest = url.dropFirst(isImplicit ? 8 : 7)
    if rest.last == "/" { rest.removeLast() }
    var user: String?
    if let at = rest.lastIndex(of: "@") {
      guard !rest[..<at].contains(":"), let name = String(rest[..<at]).percentDecoded else {
        throw .malformedURL
      }
      user = name
      rest = rest[rest.index(after: at)...]
    }
    let (host, port) = try Self.hostAndPort(rest)
    try self.init(
      host: host, port: port,
      security: isImplicit ? .tls : LoopbackHost.isOne(host) ? .none : .startTLS, user: user,
      password: password)
  }

  private static func hostAndPort(_ text: Substring) throws(Failure) -> (String, UInt16?) {
    var (host, port) = (text, Substring())
    if text.first == "[" {
      guard let end = text.lastIndex(of: "]") else { throw .malformedURL }
      host = text[text.index(after: text.startIndex)..<end]
      port = text[text.index(after: end)...]
      guard port.isEmpty || port.first == ":", host.contains(":") else { throw .malformedURL }
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[colon...]
    }
    guard !port.isEmpty else { return (String(host), nil) }
    let digits = port.dropFirst()
    guard digits.utf8.areDigits, let number = UInt16(digits), number > 0 else {
      throw .malformedURL
    }
    return (String(host), number)
  }

  /// Whether a text is a name, or an address of IPv4, or with colons one of IPv6.
  private static func isHost(_ text: String) -> Bool {
    guard (1...253).contains(text.utf8.count) else { return false }
    let marks = text.contains(":") ? ":." : "-._"
    return text.utf8.allSatisfy { byte in
      marks.utf8.contains(byte)
        || (text.contains(":") ? byte.hexDigit != nil : byte.isLetterOrDigit)
    } && text.utf8.count { $0 == UInt8(ascii: ":") } != 1
  }

  /// The address in the form that curl takes.
  var address: String {
    let scheme = security == .tls ? "smtps" : "smtp"
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}

extension MailServer: CustomStringConvertible, CustomReflectable {
  /// The host and the port, without user and password.
  public var description: String { "MailServer(\(host):\(port), \(security))" }

  /// Empty, so that `dump` shows no password.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
