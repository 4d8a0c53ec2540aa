internal import CStorekeeperOpenSSL

/// SHA-1 (FIPS 180-4), for the device hash of receipts only.
package enum SHA1 {
  /// The digest of some bytes.
  package static func digest(of bytes: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    var digest = [UInt8](repeating: 0, count: 20)
    guard unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil) == 1 else {
      throw .taken()
    }
    return digest
  }
}
