public import HTTPMessages
internal import JSONValues
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A verifier of webhooks, for a host that receives them in another process.
///
/// ```swift
/// let verifier = try WebhookVerifier(keys: [secret, nextSecret])
/// let event = try verifier.event(body: body, headers: request.headers, at: Date())
/// guard try await isNew(event.id) else { return }
/// ```
///
/// It follows Standard Webhooks 1.0. A request is taken if one of its signatures is right by one of the keys, so that
/// keys can rotate on either side. An event may come more than once: whoever must not repeat an effect keeps the
/// identifiers for some days.
public struct WebhookVerifier: Sendable {
  private enum Key: Sendable {
    case secret(HMACKey)
    case publicKey(PublicKey)
  }

  /// The greatest difference between the time of the attempt and the time of the check; 5 minutes by default.
  public var tolerance = Duration.seconds(300)

  private let keys: [Key]

  /// Creates a verifier with secrets (`whsec_…`), public keys (`whpk_…`), or both.
  ///
  /// - Throws: ``WebhookKeyFailure``, also for a private key.
  public init(keys: [String]) throws(WebhookKeyFailure) {
    var all: [Key] = []
    for text in keys {
      let (prefix, bytes) = try WebhookKeyText.parts(of: text)
      switch prefix {
      case .secret: all.append(.secret(try WebhookKeyText.secret(bytes)))
      case .publicKey:
        guard let key = PublicKey(rawBytes: bytes, kind: .ed25519) else { throw .unusable }
        all.append(.publicKey(key))
      case .privateKey: throw .unusable
      }
    }
    self.keys = all
  }

  /// Verifies a request, and returns its event.
  ///
  /// - Throws: ``WebhookFailure``.
  public func event(
    body: [UInt8], headers: HTTPHeaders, at now: Date
  ) throws(WebhookFailure) -> PurchaseEvent {
    try verify(body: body, headers: headers, at: now)
    do throws(PurchaseEventFailure) { return try PurchaseEvent(parsing: body) } catch {
      throw .bodyUnreadable(error)
    }
  }

  /// Verifies the signature and the time of a request, whatever is in its body.
  ///
  /// - Throws: ``WebhookFailure``.
  public func verify(
    body: [UInt8], headers: HTTPHeaders, at now: Date
  ) throws(WebhookFailure) {
    guard let id = headers[WebhookHeader.id], !id.isEmpty,
      let time = headers[WebhookHeader.timestamp],
      let signatures = headers[WebhookHeader.signature]
    else { throw .headerMissing }
    guard (1...12).contains(time.utf8.count), time.utf8.areDigits, let seconds = Double(time) else {
      throw .timestampInvalid
    }
    let distance = now.timeIntervalSince1970 - seconds
    guard distance <= tolerance.timeInterval else { throw .timestampTooOld }
    guard -distance <= tolerance.timeInterval else { throw .timestampTooNew }
    let message = WebhookHeader.signedMessage(id: id, timestamp: time, body: body)
    let all = signatures.split(separator: " ")
    guard all.count <= Self.signatureLimit else { throw .signatureWrong }
    let codes = codes(of: message)
    var isRight = false
    // Each is compared, so that the time tells nothing.
    for signature in all where isSigned(message, codes, by: signature) { isRight = true }
    guard isRight else { throw .signatureWrong }
  }

  /// The greatest number of signatures of a request that is looked at, so that a stranger's costs little.
  static let signatureLimit = 32

  /// The right codes, one of each secret.
  private func codes(of message: [UInt8]) -> [[UInt8]] {
    keys.compactMap { key in
      guard case .secret(let key) = key else { return nil }
      return try? key.code(of: message[...])
    }
  }

  private func isSigned(
    _ message: [UInt8], _ codes: [[UInt8]], by signature: Substring
  ) -> Bool {
    let parts = signature.split(separator: ",", maxSplits: 1)
    guard parts.count == 2, let bytes = Base64.decode(String(parts[1]), .standard) else {
      return false
    }
    var isRight = false
    if parts[0] == "v1" {
      for code in codes where isEqualInConstantTime(code, bytes) { isRight = true }
    }
    if parts[0] == "v1a" {
      for case .publicKey(let key) in keys where key.isValid(ed25519Signature: bytes, of: message) {
        isRight = true
      }
    }
    return isRight
  }
}

/// The reason why a request is no webhook to rely on.
@nonexhaustive
public enum WebhookFailure: Error, Hashable, Sendable {
  /// `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing.
  case headerMissing
  /// The timestamp is no number of seconds.
  case timestampInvalid
  case timestampTooOld
  case timestampTooNew
  /// No signature is right by any of the keys.
  case signatureWrong
  /// The signature is right, and the body is no event.
  case bodyUnreadable(PurchaseEventFailure)
}

/// The header fields of a webhook, and what is signed.
///
/// Source: Standard Webhooks 1.0, "Webhook headers" and "Signature scheme".
enum WebhookHeader {
  static let id: HTTPHeaderName = "webhook-id"
  static let timestamp: HTTPHeaderName = "webhook-timestamp"
  static let signature: HTTPHeaderName = "webhook-signature"

  static func signedMessage(id: String, timestamp: String, body: [UInt8]) -> [UInt8] {
    Array("\(id).\(timestamp).".utf8) + body
  }
}
