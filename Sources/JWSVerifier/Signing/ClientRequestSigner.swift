internal import StorekeeperCrypto
internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A signer of the requests that a StoreKit 2 client passes to Apple: promotional offers in the
/// second form, introductory offer eligibility, and Advanced Commerce requests.
///
/// Each result is a compact JWS without an expiry; Apple goes by its time of issue. Source: Apple,
/// "Generating JWS to sign App Store requests".
public struct ClientRequestSigner: Sendable {
  private let key: SigningKey
  private let issuerID: String
  private let bundleID: String
  private let makeNonce: @Sendable () -> UUID

  /// Creates a signer.
  ///
  /// App Store Connect shows the issuer ID, a UUID, above the keys. `makeNonce` returns a new value for each
  /// signature.
  public init(
    key: SigningKey, issuerID: String, bundleID: String,
    makeNonce: @escaping @Sendable () -> UUID = { UUID() }
  ) throws(SigningFailure) {
    guard UUID(uuidString: issuerID) != nil else { throw .issuerNotUUID }
    guard !bundleID.isEmpty else { throw .emptyBundleID }
    self.key = key
    self.issuerID = issuerID
    self.bundleID = bundleID
    self.makeNonce = makeNonce
  }

  /// Signs a promotional offer, version 2.
  ///
  /// The ID of any transaction of the customer binds the offer to them.
  public func promotionalOffer(
    productID: String, offerIdentifier: String, transactionID: String? = nil, at date: Date
  ) throws(SigningFailure) -> String {
    var claims: [String: JSONValue] = [
      "productId": .string(productID), "offerIdentifier": .string(offerIdentifier),
    ]
    claims["transactionId"] = transactionID.map(JSONValue.string)
    return try token(for: "promotional-offer", claims, at: date)
  }

  /// Signs whether a customer may have the introductory offer of a subscription.
  ///
  /// The ID is that of any transaction of the customer.
  public func introductoryOfferEligibility(
    productID: String, allowIntroductoryOffer: Bool, transactionID: String, at date: Date
  ) throws(SigningFailure) -> String {
    try token(
      for: "introductory-offer-eligibility",
      [
        "productId": .string(productID),
        "allowIntroductoryOffer": .boolean(allowIntroductoryOffer),
        "transactionId": .string(transactionID),
      ], at: date)
  }

  /// Signs an Advanced Commerce request that the client passes to StoreKit.
  ///
  /// The request must meet Apple's limits.
  public func advancedCommerce(
    _ request: some AdvancedCommerceInAppRequest, at date: Date
  ) throws(SigningFailure) -> String {
    do throws(AdvancedCommerceRequestFailure) {
      try request.validate()
    } catch {
      throw .invalidRequest(error)
    }
    let encoded = Base64.encode(request.json.serialized, .standard)
    return try token(for: "advanced-commerce-api", ["request": .string(encoded)], at: date)
  }

  private func token(
    for audience: String, _ claims: [String: JSONValue], at date: Date
  ) throws(SigningFailure) -> String {
    var claims = claims
    claims["iss"] = .string(issuerID)
    claims["bid"] = .string(bundleID)
    claims["iat"] = .number(date.timeIntervalSince1970.rounded(.down))
    claims["nonce"] = .string(makeNonce().uuidString.lowercased())
    claims["aud"] = .string(audience)
    return try key.token(claims: claims)
  }
}
