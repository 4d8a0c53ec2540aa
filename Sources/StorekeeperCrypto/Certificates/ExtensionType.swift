/// The types of extensions that OpenSSL parses or supports when critical.
enum ExtensionType: Hashable, Sendable {
  case subjectKeyIdentifier, keyUsage, subjectAlternativeName, basicConstraints, nameConstraints
  case revocationListPoints, policies, policyMappings, authorityKeyIdentifier, policyConstraints
  case extendedKeyUsage, inhibitAnyPolicy
  case netscapeType, proxy, addressBlocks, autonomousSystems

  /// Creates the type for an encoded object identifier, without tag and length.
  init?(_ numbers: ArraySlice<UInt8>) {
    if numbers.count == 3, numbers.starts(with: [0x55, 0x1D]), let last = numbers.last {
      // 2.5.29, of RFC 5280 section 4.2.1.
      switch last {
      case 14: self = .subjectKeyIdentifier
      case 15: self = .keyUsage
      case 17: self = .subjectAlternativeName
      case 19: self = .basicConstraints
      case 30: self = .nameConstraints
      case 31: self = .revocationListPoints
      case 32: self = .policies
      case 33: self = .policyMappings
      case 35: self = .authorityKeyIdentifier
      case 36: self = .policyConstraints
      case 37: self = .extendedKeyUsage
      case 54: self = .inhibitAnyPolicy
      default: return nil
      }
      return
    }
    switch Array(numbers) {
    // 2.16.840.1.113730.1.1
    case [0x60, 0x86, 0x48, 0x01, 0x86, 0xF8, 0x42, 0x01, 0x01]: self = .netscapeType
    // 1.3.6.1.5.5.7.1.14 (RFC 3820), .7 and .8 (RFC 3779)
    case [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x0E]: self = .proxy
    case [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x07]: self = .addressBlocks
    case [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x08]: self = .autonomousSystems
    default: return nil
    }
  }

  /// Whether OpenSSL supports the extension when it is critical.
  var isSupportedWhenCritical: Bool {
    switch self {
    case .keyUsage, .subjectAlternativeName, .basicConstraints, .nameConstraints,
      .revocationListPoints, .policies, .policyMappings, .policyConstraints, .extendedKeyUsage,
      .inhibitAnyPolicy, .netscapeType, .proxy, .addressBlocks, .autonomousSystems:
      true
    case .subjectKeyIdentifier, .authorityKeyIdentifier: false
    }
  }
}
