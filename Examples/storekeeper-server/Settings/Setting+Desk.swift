import StorekeeperDesk
import StorekeeperHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The settings of the desk of support, in the order of `--help`.

extension Setting {
  static let deskToken = Setting(
    "desk-token", "NAME=DIGEST", .list,
    form: "NAME=DIGEST, where `storekeeper-server digest` prints the digest",
    """
    who may sign in to the desk at /desk, by the digest of a token; @TIME
    behind it ends it; without any, and without --desk-sign-on, there is
    no desk
    """, isSecret: true
  ) { settings, value in
    settings.desk.tokens = try value.elements { BearerTokens.Entry(name: $0, text: $1 ?? "") }
  }

  static let desk = [
    deskToken,
    Setting(
      "desk-agent", "NAME", .list, form: "the name of a --desk-token",
      """
      who may do what the pages offer; the others read
      """
    ) { settings, value in
      settings.desk.agents = Set(value.texts)
    },
    Setting(
      "desk-key", "FILE", form: "a file of 32 bytes or more",
      """
      a file with the secret that seals sessions and forms, the same on all
      servers; without it, sessions end with the server
      """
    ) { settings, value in
      guard let bytes = RegularFile.contents(value.text, limit: 4096),
        (DeskAccess.minimumKeyLength...4096).contains(bytes.count)
      else { throw SettingsFailure("the file of --desk-key takes 32 to 4096 bytes") }
      settings.desk.key = bytes
    },
    Setting(
      "desk-sign-on", "FIELD=FIELD", .list,
      form: "FIELD=FIELD, such as X-Remote-User=X-Desk-Secret",
      """
      the header fields with the name of who is signed on, and with the secret
      of --desk-sign-on-secret, from a proxy of yours that removes both from
      what comes from outside
      """
    ) { settings, value in
      settings.desk.signOnFields = try value.elements { name, secret in secret.map { (name, $0) } }
        .first
    },
    Setting(
      "desk-sign-on-secret", "FILE", form: "a file with a secret in one line",
      """
      a file with the secret by which the proxy shows that it is yours
      """
    ) { $0.desk.signOnSecret = try $1.passwordOfFile() },
    Setting(
      "desk-rules", "URL", form: "https://… or http://…",
      """
      the address below which the pages of the rules are, for links to them
      """
    ) { $0.desk.rulesAddress = try $1.url() },
  ]
}

/// The settings of the desk.
struct DeskSettings {
  var tokens: [BearerTokens.Entry] = []
  var agents: Set<String> = []
  var key: [UInt8]?
  var signOnFields: (name: String, secret: String)?
  var signOnSecret: String?
  var rulesAddress: String?

  /// Whether there is a way for support to sign in.
  var isServed: Bool { !tokens.isEmpty || signOnFields != nil }

  /// The way in which support signs in, with the tokens in use; nil without one.
  func access(
    _ current: CurrentTokens, now: @escaping @Sendable () -> Date
  ) throws -> DeskAccess? {
    guard isServed else { return nil }
    var access = try DeskAccess(
      tokens: tokens.isEmpty ? nil : current, agents: agents,
      key: key ?? DeskAccess.randomKey(), now: now)
    if let signOnFields {
      do {
        access.signOn = try DeskAccess.SignOn(
          nameField: signOnFields.name, secretField: signOnFields.secret,
          secret: signOnSecret ?? "", agents: agents)
      } catch {
        throw SettingsFailure(
          "--desk-sign-on takes the names of two fields, and needs --desk-sign-on-secret with 32 bytes"
        )
      }
    }
    return access
  }
}
