internal import StorekeeperCrypto

/// The key of a sealed catalogue, whose length decides the format of the file.
///
/// A key is a text of 32 or 64 hexadecimal digits. It belongs into the environment or a secret store, never into
/// command arguments. Descriptions and dumps don't show it.
///
/// Source: entitlement rules, section 3.
public struct CatalogKey: Sendable {
  /// The format of the files that this key opens and seals.
  public let format: SealedCatalog.Format
  /// The key itself, 16 or 32 bytes.
  let bytes: [UInt8]

  /// Creates a key from its text.
  ///
  /// The text is 32 or 64 hexadecimal digits in either case, and nothing else.
  public init(hexadecimal text: String) throws(CatalogKeyFailure) {
    switch text.count {
    case 32: format = .encrypted
    case 64: format = .authenticated
    default: throw .keyLength
    }
    guard text.utf8.count == text.count, let bytes = StorekeeperCrypto.bytes(hexadecimal: text)
    else { throw .keyNotHex }
    self.bytes = bytes
  }

  /// Creates a key from the content of a file.
  ///
  /// The text of the key may have a line break at its end.
  public init(file: [UInt8]) throws(CatalogKeyFailure) {
    var text = file[...]
    if text.last == UInt8(ascii: "\n") { text.removeLast() }
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    guard text.count == 32 || text.count == 64 else { throw .keyLength }
    guard text.allSatisfy({ $0 < 0x80 }) else { throw .keyNotHex }
    try self.init(hexadecimal: String(decoding: text, as: UTF8.self))
  }
}

extension CatalogKey: CustomStringConvertible, CustomReflectable {
  /// The format only.
  public var description: String { "a key of \(format == .encrypted ? 32 : 64) digits" }
  /// A mirror without the key, which `dump` would show otherwise.
  public var customMirror: Mirror { Mirror(self, children: ["format": format]) }
}

/// The reason why a text is no key of sealed catalogues.
///
/// Source: entitlement rules, section 3.
@nonexhaustive
public enum CatalogKeyFailure: String, Error, Hashable, Sendable, CustomStringConvertible {
  /// The text has neither 32 nor 64 characters.
  case keyLength
  /// The text has characters other than hexadecimal digits.
  case keyNotHex

  /// The rule that the text breaks.
  public var description: String {
    switch self {
    case .keyLength: "key: expected 32 or 64 hexadecimal digits"
    case .keyNotHex: "key: expected only hexadecimal digits"
    }
  }
}
