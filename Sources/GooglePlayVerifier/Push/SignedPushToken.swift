internal import JSONValues
internal import StorekeeperCrypto

/// A token in compact form, with a header that was checked, and a signature that was not (RFC 7515
/// section 7.1).
struct SignedPushToken {
  let keyID: String
  let payload: JSONValue
  let signature: [UInt8]
  let signedBytes: [UInt8]

  /// The maximum length of the ID of a key in bytes.
  private static let maximumKeyIDLength = 256

  init(_ text: String) throws(PushTokenFailure) {
    let limit = PushTokenVerifier.maximumLength
    guard text.utf8.count <= limit else { throw .tooLarge(limit: limit) }
    guard let jws = CompactJWS(text), let header = Self.object(jws.header) else {
      throw .malformed
    }
    // Before anything else: only this algorithm, whatever the token asks for (RFC 8725 section 3.1).
    guard case .string(let algorithm)? = header["alg"], algorithm.isSameText(as: "RS256") else {
      throw .unsupportedAlgorithm
    }
    // RFC 7515 section 4.1.11: an extension that is not understood makes the token invalid.
    guard header["crit"] == nil else { throw .criticalHeader }
    guard case .string(let keyID)? = header["kid"], !keyID.isEmpty,
      keyID.utf8.count <= Self.maximumKeyIDLength
    else { throw .missingKeyID }
    guard let payload = Self.object(jws.payload),
      let signature = Base64.decode(jws.signature, .url)
    else { throw .malformed }
    self.keyID = keyID
    self.payload = payload
    self.signature = signature
    signedBytes = Array(jws.signed)
  }

  private static func object(_ segment: ArraySlice<UInt8>) -> JSONValue? {
    guard let bytes = Base64.decode(segment, .url), let json = try? JSONValue(parsing: bytes),
      json.kind == .object
    else { return nil }
    return json
  }
}

/// The claims of a token that are checked.
struct PushClaims {
  let issuer: String
  let audience: String
  let email: String
  let isEmailVerified: Bool
  /// The end, in seconds since 1970.
  let expiry: Double
  /// The time of issue, in seconds since 1970.
  let issued: Double

  init(_ json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    issuer = try members.requiredText("iss")
    audience = try members.requiredText("aud")
    email = try members.requiredText("email")
    isEmailVerified = try members.flag("email_verified") ?? false
    expiry = try members.required("exp", .number, members.number("exp"))
    issued = try members.required("iat", .number, members.number("iat"))
  }
}
