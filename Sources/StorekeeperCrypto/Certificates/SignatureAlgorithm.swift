/// A supported signature algorithm of certificates (RFC 3279, RFC 4055, RFC 5758).
///
/// OpenSSL supports more and ignores parameters. Apple has used these, with the standard
/// parameters.
struct SignatureAlgorithm: Hashable, Sendable {
  let key: Key
  let digest: Digest

  enum Key: Hashable, Sendable {
    case rsa, ellipticCurve
  }

  enum Digest: Hashable, Sendable {
    case sha1, sha256, sha384, sha512

    /// OpenSSL's estimate of the collision resistance, in bits.
    var securityBits: Int {
      switch self {
      case .sha1: 63
      case .sha256: 128
      case .sha384: 192
      case .sha512: 256
      }
    }
  }

  /// Creates the algorithm for an AlgorithmIdentifier in DER; nil for others.
  init?(_ der: ArraySlice<UInt8>) {
    let rsa: [UInt8] = [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    let sha2: [UInt8] = [0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
    let sha1: [UInt8] = [0x30, 0x09, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01]
    if der.starts(with: rsa), der.count == 15, der.suffix(2).elementsEqual([0x05, 0x00]) {
      switch der[der.startIndex + 12] {
      case 5: self.init(key: .rsa, digest: .sha1)
      case 11: self.init(key: .rsa, digest: .sha256)
      case 12: self.init(key: .rsa, digest: .sha384)
      case 13: self.init(key: .rsa, digest: .sha512)
      default: return nil
      }
    } else if der.starts(with: sha2), der.count == 12 {
      switch der[der.startIndex + 11] {
      case 2: self.init(key: .ellipticCurve, digest: .sha256)
      case 3: self.init(key: .ellipticCurve, digest: .sha384)
      case 4: self.init(key: .ellipticCurve, digest: .sha512)
      default: return nil
      }
    } else if der.elementsEqual(sha1) {
      self.init(key: .ellipticCurve, digest: .sha1)
    } else {
      return nil
    }
  }

  private init(key: Key, digest: Digest) {
    self.key = key
    self.digest = digest
  }
}
