internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Signs promotional offers in the first form, for clients that use the original StoreKit.
///
/// Source: Apple, "Generating a signature for promotional offers"; contract, section 4.5.
public struct PromotionalOfferSigner: Sendable {
  private let key: SigningKey
  private let bundleID: String

  /// Prepares to sign.
  ///
  /// - Throws: ``SigningFailure/emptyBundleID``.
  public init(key: SigningKey, bundleID: String) throws(SigningFailure) {
    guard !bundleID.isEmpty else { throw .emptyBundleID }
    self.key = key
    self.bundleID = bundleID
  }

  /// One offer to one customer.
  public struct Offer: Hashable, Sendable {
    /// The subscription.
    public var productID: String
    /// The offer, as set up in App Store Connect.
    public var offerIdentifier: String
    /// The account that the app names when buying; it has to name the same.
    public var appAccountToken: UUID?
    /// A value used once.
    public var nonce: UUID
    /// When the offer was made; Apple accepts it for 24 hours.
    public var timestamp: Date

    /// Describes an offer.
    public init(
      productID: String, offerIdentifier: String, appAccountToken: UUID?, nonce: UUID,
      timestamp: Date
    ) {
      self.productID = productID
      self.offerIdentifier = offerIdentifier
      self.appAccountToken = appAccountToken
      self.nonce = nonce
      self.timestamp = timestamp
    }
  }

  /// The signature of an offer: standard base64 of an ECDSA signature in ASN.1 form.
  ///
  /// The client passes it on with the offer's other values and the key's id. The time is signed in
  /// whole milliseconds since 1970 UTC.
  ///
  /// - Parameter offer: The offer; whether Apple knows product and offer is *not* checked.
  /// - Returns: The signature as text.
  /// - Throws: ``SigningFailure/separatorInText`` or ``SigningFailure/signing``.
  public func signature(for offer: Offer) throws(SigningFailure) -> String {
    // A text with a separator could be read as two.
    for text in [bundleID, key.keyID, offer.productID, offer.offerIdentifier] {
      guard !text.unicodeScalars.contains(separator) else { throw .separatorInText }
    }
    return Base64.encode(try key.signature(of: content(of: offer)), .standard)
  }

  /// The text that is signed: the parts joined by U+2063.
  package func content(of offer: Offer) -> String {
    [
      bundleID, key.keyID, offer.productID, offer.offerIdentifier,
      offer.appAccountToken?.uuidString.lowercased() ?? "",
      offer.nonce.uuidString.lowercased(),
      Date.wholeMilliseconds(offer.timestamp),
    ].joined(separator: String(separator))
  }
}

/// What stands between the texts that are signed together: INVISIBLE SEPARATOR.
private let separator: Unicode.Scalar = "\u{2063}"

extension Date {
  /// Milliseconds since 1970 UTC, without a fraction.
  fileprivate static func wholeMilliseconds(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    return Int(exactly: milliseconds).map(String.init) ?? "\(milliseconds)"
  }
}
