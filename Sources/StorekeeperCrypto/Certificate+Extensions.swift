internal import CStorekeeperOpenSSL

extension Certificate {
  /// Whether there is an extension of this type, given as dotted numbers; its value and criticality
  /// do not matter.
  package func hasExtension(_ type: String) -> Bool {
    guard let object = unsafe OBJ_txt2obj(type, 1) else {
      ERR_clear_error()
      return false
    }
    defer { unsafe ASN1_OBJECT_free(object) }
    return unsafe X509_get_ext_by_OBJ(handle, object, -1) >= 0
  }

  /// Whether basicConstraints says CA:TRUE (RFC 5280 section 4.2.1.9).
  package var isAuthority: Bool {
    let flags = unsafe X509_get_extension_flags(handle)
    return flags & UInt32(EXFLAG_BCONS) != 0 && flags & UInt32(EXFLAG_CA) != 0
  }

  /// Whether its key may sign certificates: keyUsage absent, or naming it (section 4.2.1.3).
  package var maySignCertificates: Bool {
    // Without the extension OpenSSL answers with all bits set.
    unsafe X509_get_key_usage(handle) & UInt32(KU_KEY_CERT_SIGN) != 0
  }

  /// How many authorities may follow below this one, or nil for any number (section 4.2.1.9).
  package var pathLength: Int? {
    let length = unsafe X509_get_pathlen(handle)
    return length < 0 ? nil : length
  }

  /// Whether it limits the names below it (section 4.2.1.10).
  package var hasNameConstraints: Bool {
    unsafe X509_get_ext_by_NID(handle, NID_name_constraints, -1) >= 0
  }

  /// The type, in dotted numbers, of the first critical extension that neither OpenSSL checks nor
  /// the caller knows; nil when there is none (section 4.2).
  package func unknownCriticalExtension(besides known: Set<String>) -> String? {
    for index in 0..<(unsafe X509_get_ext_count(handle)) {
      let found = unsafe X509_get_ext(handle, index)
      guard unsafe X509_EXTENSION_get_critical(found) == 1,
        unsafe X509_supported_extension(found) != 1
      else { continue }
      let type = unsafe Self.dottedNumbers(X509_EXTENSION_get_object(found))
      if !known.contains(type) { return type }
    }
    return nil
  }

  /// The addresses of the responders that tell whether it is revoked (section 4.2.2.1).
  package var revocationResponders: [String] {
    guard let addresses = unsafe X509_get1_ocsp(handle) else {
      ERR_clear_error()
      return []
    }
    defer { unsafe X509_email_free(addresses) }
    return (0..<(unsafe copenssl_strings_count(addresses))).compactMap { index in
      unsafe copenssl_strings_value(addresses, index).map { unsafe String(cString: $0) }
    }
  }

  private static func dottedNumbers(_ object: OpaquePointer?) -> String {
    var text = [CChar](repeating: 0, count: 128)
    let length = unsafe OBJ_obj2txt(&text, Int32(text.count), object, 1)
    let kept = text.prefix(max(0, min(Int(length), text.count - 1)))
    return String(decoding: kept.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
