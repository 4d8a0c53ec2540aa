internal import StorekeeperCrypto

/// A key with which webhooks are signed, in its text form of Standard Webhooks 1.0.
///
/// `whsec_` and 24 to 64 bytes in base64 are a secret that both sides have, for HMAC with SHA-256 (`v1`). `whsk_` and 32
/// bytes in base64, or 64 with the public key behind them, are a private key of Ed25519 (`v1a`), of which a receiver
/// has the public part, `whpk_`. A key is never printed.
///
/// ```sh
/// echo "whsec_$(openssl rand -base64 32)"
/// ```
public struct WebhookSigningKey: Sendable {
  private enum Form: Sendable {
    case secret(HMACKey)
    case privateKey(PrivateKey)
  }

  private let form: Form

  /// Reads a key.
  ///
  /// - Throws: ``WebhookKeyFailure``.
  public init(_ text: String) throws(WebhookKeyFailure) {
    let (prefix, bytes) = try WebhookKeyText.parts(of: text)
    switch prefix {
    case .secret: form = .secret(try WebhookKeyText.secret(bytes))
    case .privateKey:
      guard let key = PrivateKey(ed25519Seed: Array(bytes.prefix(32))),
        let publicBytes = try? key.publicKey.rawBytes,
        bytes.count == 32 || bytes.count == 64 && publicBytes == Array(bytes.suffix(32))
      else { throw .unusable }
      form = .privateKey(key)
    case .publicKey: throw .unusable
    }
  }

  /// The public key that receivers verify with, `whpk_` and base64; nil for a secret.
  public var publicKey: String? {
    guard case .privateKey(let key) = form, let bytes = try? key.publicKey.rawBytes else {
      return nil
    }
    return WebhookKeyText.Prefix.publicKey.rawValue + Base64.encode(bytes, .standard)
  }

  /// Returns the signature of a message with its version, such as `v1,…`.
  func signature(of message: [UInt8]) throws -> String {
    switch form {
    case .secret(let key):
      "v1," + Base64.encode(try key.code(of: message[...]), .standard)
    case .privateKey(let key):
      "v1a," + Base64.encode(try key.ed25519Signature(of: message), .standard)
    }
  }
}

extension WebhookSigningKey: CustomStringConvertible, CustomReflectable {
  /// The kind, never the key.
  public var description: String {
    switch form {
    case .secret: "WebhookSigningKey(v1)"
    case .privateKey: "WebhookSigningKey(v1a)"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The reason why a text is no key of webhooks.
@nonexhaustive
public enum WebhookKeyFailure: Error, Hashable, Sendable {
  /// The text does not begin with `whsec_`, `whsk_` or `whpk_`.
  case prefixUnknown
  /// The rest is not base64, has the wrong length, or is no key for the purpose.
  case unusable
}

/// The text form of keys: a word that tells the kind, and base64.
enum WebhookKeyText {
  enum Prefix: String, CaseIterable {
    case secret = "whsec_"
    case privateKey = "whsk_"
    case publicKey = "whpk_"
  }

  static func parts(
    of text: String
  ) throws(WebhookKeyFailure) -> (prefix: Prefix, bytes: [UInt8]) {
    guard let prefix = Prefix.allCases.first(where: { text.utf8.starts(with: $0.rawValue.utf8) })
    else { throw .prefixUnknown }
    let rest = String(Substring(text.utf8.dropFirst(prefix.rawValue.utf8.count)))
    guard let bytes = Base64.decode(rest, .standard) else { throw .unusable }
    return (prefix, bytes)
  }

  /// Returns the key of a secret of 24 to 64 bytes.
  static func secret(_ bytes: [UInt8]) throws(WebhookKeyFailure) -> HMACKey {
    guard (24...64).contains(bytes.count), let key = try? HMACKey(bytes) else { throw .unusable }
    return key
  }
}
