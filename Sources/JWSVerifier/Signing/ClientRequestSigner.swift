internal import StorekeeperCrypto
internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Signs what a StoreKit 2 client has to show Apple: promotional offers in the second form,
/// introductory offer eligibility, and Advanced Commerce requests.
///
/// Each result is a compact JWS without an end; Apple judges it by its time of issue.
///
/// Source: Apple, "Generating JWS to sign App Store requests"; contract, section 4.6.
public struct ClientRequestSigner: Sendable {
  private let key: SigningKey
  private let issuerID: String
  private let bundleID: String
  private let makeNonce: @Sendable () -> UUID

  /// Prepares to sign.
  ///
  /// - Parameters:
  ///   - key: An In-App Purchase key of App Store Connect.
  ///   - issuerID: The issuer id that App Store Connect shows above the keys, a UUID.
  ///   - bundleID: The app.
  ///   - makeNonce: Gives a value used once for each signature.
  /// - Throws: ``SigningFailure``.
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

  /// A promotional offer, version 2.
  ///
  /// - Parameters:
  ///   - productID: The subscription.
  ///   - offerIdentifier: The offer, as set up in App Store Connect.
  ///   - transactionID: Any transaction of the customer, to bind the offer to them.
  ///   - date: The time of issue; written in whole seconds.
  /// - Returns: A compact JWS.
  /// - Throws: ``SigningFailure/signing``.
  public func promotionalOffer(
    productID: String, offerIdentifier: String, transactionID: String? = nil, at date: Date
  ) throws(SigningFailure) -> String {
    var claims: [String: JSONValue] = [
      "productId": .string(productID), "offerIdentifier": .string(offerIdentifier),
    ]
    claims["transactionId"] = transactionID.map(JSONValue.string)
    return try token(for: "promotional-offer", claims, at: date)
  }

  /// Whether a customer may have the introductory offer of a subscription.
  ///
  /// - Parameters:
  ///   - productID: The subscription.
  ///   - allowIntroductoryOffer: The answer.
  ///   - transactionID: Any transaction of the customer.
  ///   - date: The time of issue; written in whole seconds.
  /// - Returns: A compact JWS.
  /// - Throws: ``SigningFailure/signing``.
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

  /// An Advanced Commerce request that the client passes to StoreKit.
  ///
  /// - Parameters:
  ///   - request: The request; one that breaks Apple's limits is not signed.
  ///   - date: The time of issue; written in whole seconds.
  /// - Returns: A compact JWS.
  /// - Throws: ``SigningFailure/invalidRequest(_:)`` or ``SigningFailure/signing``.
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
