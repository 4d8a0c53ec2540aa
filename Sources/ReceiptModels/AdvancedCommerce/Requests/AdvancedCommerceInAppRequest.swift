public import JSONValues

/// A request of the Advanced Commerce API that the app sends and the server signs.
///
/// Its JSON form always has `operation` and `version`; reading tolerates that they are missing.
/// To be signed, the bytes of that form go into a token.
///
/// Source: Apple, Advanced Commerce API, in-app requests.
public protocol AdvancedCommerceInAppRequest: JSONModel {
  /// What requests of this type ask for.
  static var operation: AdvancedCommerceOperation { get }
  /// What this request asks for.
  var operation: AdvancedCommerceOperation { get }
  /// The version of the request's form.
  var version: String { get }
  /// How the request is identified.
  var requestInfo: AdvancedCommerceRequestInfo { get set }
  /// The country of the store, by its three-letter code.
  var storefront: String? { get set }

  /// Checks the limits that Apple documents: lengths of texts, lists with at least one element,
  /// counts of periods, operation and version.
  ///
  /// Characters are counted as Swift counts them. Prices, codes and whether the parts fit together
  /// are left to Apple.
  ///
  /// - Throws: ``AdvancedCommerceRequestFailure`` for the first limit that is broken.
  func validate() throws(AdvancedCommerceRequestFailure)
}

extension AdvancedCommerceInAppRequest {
  func checkForm() throws(AdvancedCommerceRequestFailure) {
    guard operation == Self.operation else {
      throw .operation(expected: Self.operation, found: operation)
    }
    guard version == "1" else { throw .version(expected: "1", found: version) }
  }
}
