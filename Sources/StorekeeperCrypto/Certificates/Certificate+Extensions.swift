internal import CStorekeeperOpenSSL

extension Certificate {
  /// Returns whether there is an extension of this type, given in dotted numbers, regardless of its
  /// value and criticality.
  package func hasExtension(_ type: String) -> Bool {
    guard let object = unsafe OBJ_txt2obj(type, 1) else {
      ERR_clear_error()
      return false
    }
    defer { unsafe ASN1_OBJECT_free(object) }
    let numbers = unsafe UnsafeBufferPointer(
      start: OBJ_get0_data(object), count: OBJ_length(object))
    return outline.extensions.contains { unsafe der[$0.type].elementsEqual(numbers) }
  }

  /// Whether all extensions that OpenSSL parses or that matter here are well formed.
  package var isWellFormed: Bool { facts.areWellFormed }

  /// Whether the certificate is of an unsupported kind: a proxy, or one that assigns addresses.
  package var isOfUnsupportedKind: Bool { facts.isProxy || facts.assignsResources }

  /// Whether basicConstraints says CA:TRUE (RFC 5280 section 4.2.1.9).
  package var isAuthority: Bool { facts.isAuthority }

  /// Whether the key may sign certificates: keyUsage is absent or permits it (section 4.2.1.3).
  ///
  /// As in OpenSSL, a certificate with a malformed extension has no permissions.
  package var maySignCertificates: Bool {
    facts.areWellFormed && facts.keyUsage.map { $0 & 0x04 != 0 } ?? true
  }

  /// The maximum number of authorities below this one, or nil for any number (section 4.2.1.9).
  package var pathLength: Int? { facts.pathLength }

  /// Whether the certificate constrains the names below it (section 4.2.1.10).
  package var hasNameConstraints: Bool { facts.hasNameConstraints }

  /// Returns the type, in dotted numbers, of the first critical extension that neither OpenSSL
  /// supports nor the caller knows; nil if there is none (section 4.2).
  package func unknownCriticalExtension(besides known: Set<String>) -> String? {
    for found in outline.extensions where found.isCritical {
      let numbers = der[found.type]
      if ExtensionType(numbers)?.isSupportedWhenCritical == true { continue }
      let type = Self.dottedNumbers(numbers)
      if !known.contains(type) { return type }
    }
    return nil
  }

  /// The URLs of the OCSP responders (section 4.2.2.1).
  package var revocationResponders: [String] {
    guard let handle = unsafe handle, let addresses = unsafe X509_get1_ocsp(handle) else {
      ERR_clear_error()
      return []
    }
    defer { unsafe X509_email_free(addresses) }
    return (0..<(unsafe copenssl_strings_count(addresses))).compactMap { index in
      unsafe copenssl_strings_value(addresses, index).map { unsafe String(cString: $0) }
    }
  }

  private static func dottedNumbers(_ type: ArraySlice<UInt8>) -> String {
    let der = DERHeader(.objectIdentifier, length: type.count).bytes + type
    let parsed = unsafe parsedDER(der, free: { unsafe ASN1_OBJECT_free($0) }) { position, count in
      unsafe d2i_ASN1_OBJECT(nil, position, count)
    }
    guard let object = unsafe parsed else { return "" }
    defer { unsafe ASN1_OBJECT_free(object) }
    var text = [CChar](repeating: 0, count: 128)
    let length = unsafe OBJ_obj2txt(&text, Int32(text.count), object, 1)
    let kept = text.prefix(max(0, min(Int(length), text.count - 1)))
    return String(decoding: kept.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
