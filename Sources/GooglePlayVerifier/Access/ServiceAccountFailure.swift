public import JSONValues

/// A reason why a service account cannot be used.
@nonexhaustive
public enum ServiceAccountFailure: Error, Hashable, Sendable {
  /// The key file is larger than the limit in bytes.
  case tooLarge(limit: Int)
  case notJSON
  /// A member of the key file is missing, empty or has the wrong type.
  case malformed(FieldTypeFailure)
  case notServiceAccount
  /// The e-mail address or the ID of the key is empty.
  case emptyName
  /// The token URI is not an absolute URL with `https`.
  case malformedTokenURI
  /// The private key is not an unencrypted one in PEM.
  case malformedKey
  case keyNotRSA
  /// The private key has this number of bits, which is not from 2048 to 8192.
  case keySize(bits: Int)
}
