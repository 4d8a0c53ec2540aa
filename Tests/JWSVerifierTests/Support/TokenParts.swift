import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

/// A token taken apart by the test itself, to be put together otherwise.
struct TokenParts {
  var header: String
  var payload: String
  var signature: String

  init(_ token: String) throws {
    let segments = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    try #require(segments.count == 3)
    (header, payload, signature) = (segments[0], segments[1], segments[2])
  }

  var text: String { "\(header).\(payload).\(signature)" }

  /// What is signed.
  var content: String { "\(header).\(payload)" }

  var headerBytes: [UInt8] { get throws { try Self.bytes(header) } }
  var payloadBytes: [UInt8] { get throws { try Self.bytes(payload) } }
  var signatureBytes: [UInt8] { get throws { try Self.bytes(signature) } }

  /// The same token with other bytes in the payload, and the old signature.
  func replacing(payload bytes: [UInt8]) -> String {
    "\(header).\(Base64.encode(bytes, .url)).\(signature)"
  }

  /// The same token with another signature.
  func replacing(signature bytes: [UInt8]) -> String {
    "\(content).\(Base64.encode(bytes, .url))"
  }

  /// The same token with other bytes in the header, and the old signature.
  func replacing(header bytes: [UInt8]) -> String {
    "\(Base64.encode(bytes, .url)).\(payload).\(signature)"
  }

  private static func bytes(_ text: String) throws -> [UInt8] {
    try #require(Base64.decode(Array(text.utf8)[...], .url))
  }
}

extension TestAuthority {
  /// The leaf's signature of a text, in the third segment's form.
  func signature(of content: String) throws -> String {
    let signature = ECDSASignature(der: try leafKey.signature(of: Array(content.utf8)))
    return Base64.encode(try #require(signature).rawBytes, .url)
  }

  /// The certificates of `x5c` in base64, in order.
  var encodedCertificates: [String] {
    shape.presented.map { Base64.encode(certificate($0), .standard) }
  }

  /// A token, signed as it should be, whose `x5c` holds these strings.
  func token(x5c: [String], payload: JSONValue = Sample.transaction()) throws -> String {
    var header = header
    header["x5c"] = .array(x5c.map(JSONValue.string))
    return try sign(payload.serialized, header: header)
  }
}
