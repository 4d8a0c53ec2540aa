internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A signer of promotional offers in the first form, for clients that use the original StoreKit.
///
/// Source: Apple, "Generating a signature for promotional offers".
public struct PromotionalOfferSigner: Sendable {
  let key: SigningKey
  private let bundleID: String

  /// Creates a signer for an app.
  public init(key: SigningKey, bundleID: String) throws(SigningFailure) {
    guard !bundleID.isEmpty else { throw .emptyBundleID }
    self.key = key
    self.bundleID = bundleID
  }

  /// An offer to one customer.
  public struct Offer: Hashable, Sendable {
    public var productID: String
    /// The identifier of the offer in App Store Connect.
    public var offerIdentifier: String
    /// The account token; the app must pass the same one with the purchase.
    public var appAccountToken: UUID?
    /// A value that is used only once.
    public var nonce: UUID
    /// The time at which the offer was made; Apple accepts it for 24 hours.
    public var timestamp: Date

    /// Creates an offer.
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

  /// Returns the signature of an offer: an ECDSA signature in ASN.1 form, in standard base64.
  ///
  /// The client passes it on with the offer's other values and the key's ID. The time is signed in
  /// whole milliseconds since 1970 UTC.
  /// Whether Apple knows the product and the offer is *not* checked.
  public func signature(for offer: Offer) throws(SigningFailure) -> String {
    // A field that contains the separator could be read as two fields.
    for text in [bundleID, key.keyID, offer.productID, offer.offerIdentifier] {
      guard !text.unicodeScalars.contains(separator) else { throw .separatorInText }
    }
    return Base64.encode(try key.signature(of: content(of: offer)), .standard)
  }

  /// Returns the text to sign: the fields joined by U+2063.
  package func content(of offer: Offer) -> String {
    [
      bundleID, key.keyID, offer.productID, offer.offerIdentifier,
      offer.appAccountToken?.uuidString.lowercased() ?? "",
      offer.nonce.uuidString.lowercased(),
      Date.wholeMilliseconds(offer.timestamp),
    ].joined(separator: String(separator))
  }
}

/// INVISIBLE SEPARATOR, which separates the signed fields.
private let separator: Unicode.Scalar = "\u{2063}"

extension Date {
  /// Returns milliseconds since 1970 UTC, without a fraction.
  fileprivate static func wholeMilliseconds(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    return Int(exactly: milliseconds).map(String.init) ?? "\(milliseconds)"
  }
}
