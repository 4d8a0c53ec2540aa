internal import CStorekeeperOpenSSL

extension DERReader {
  /// Reads the value of an extension that is not used here, and lets OpenSSL check its form.
  ///
  /// Both parsers must find the same end.
  mutating func checkedByOpenSSL(
    _ type: ExtensionType, _ bytes: [UInt8]
  ) throws(Failure) {
    let whole = try value(bytes).whole
    guard let item = unsafe type.item else { throw Failure() }
    let parsed = unsafe parsedDER(
      Array(bytes[whole]), free: { unsafe ASN1_item_free($0, item) }
    ) { position, count in
      unsafe ASN1_item_d2i(nil, position, count, item)
    }
    guard let parsed = unsafe parsed else { throw Failure() }
    unsafe ASN1_item_free(parsed, item)
    // OpenSSL checks distribution points further: an empty one is invalid, and completing a
    // relative name may fail.
    guard type != .revocationListPoints || hasOnlyWholeNames(whole, bytes) else { throw Failure() }
  }

  /// Returns whether each distribution point has a full name (RFC 5280 section 4.2.1.13).
  private func hasOnlyWholeNames(_ whole: Range<Int>, _ bytes: [UInt8]) -> Bool {
    do throws(Failure) {
      var value = DERReader(in: whole)
      var points = try value.contents(.sequence, bytes)
      while !points.isAtEnd {
        var point = try points.contents(.sequence, bytes)
        let name = try point.value(.constructed(0), bytes)
        guard DERReader(in: name.content).nextTag(bytes) == .constructed(0) else { return false }
      }
      return true
    } catch {
      return false
    }
  }
}

extension ExtensionType {
  /// OpenSSL's template for the values that it parses, otherwise nil.
  fileprivate var item: OpaquePointer? {
    switch self {
    case .subjectAlternativeName: unsafe GENERAL_NAMES_it()
    case .revocationListPoints: unsafe CRL_DIST_POINTS_it()
    case .extendedKeyUsage: unsafe EXTENDED_KEY_USAGE_it()
    case .netscapeType: unsafe ASN1_BIT_STRING_it()
    case .nameConstraints: unsafe NAME_CONSTRAINTS_it()
    case .authorityKeyIdentifier: unsafe AUTHORITY_KEYID_it()
    default: nil
    }
  }
}
