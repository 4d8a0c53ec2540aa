public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request of the Advanced Commerce API that the server signs and the app sends.
///
/// Its JSON form always has `operation` and `version`, but both may be missing when it is read. The
/// token to be signed contains the bytes of that form. Source: Apple, Advanced Commerce API, in-app
/// requests.
public protocol AdvancedCommerceInAppRequest: JSONModel {
  static var operation: AdvancedCommerceOperation { get }
  /// The operation of the request, which differs only if read from JSON that says so.
  var operation: AdvancedCommerceOperation { get }
  /// The version of the request format, which differs from 1 only if read from JSON that says so.
  var version: String { get }
  var requestInfo: AdvancedCommerceRequestInfo { get set }
  /// The three-letter code of the storefront's country.
  var storefront: String? { get set }

  /// Checks the documented limits: the lengths of texts, nonempty lists, counts of periods,
  /// operation and version.
  ///
  /// Lengths are counted in Swift characters. Prices, codes and the consistency of the parts are
  /// not checked.
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

extension FieldCoder {
  /// Reads or writes the two fields that tell one in-app request from another.
  mutating func form(
    _ operation: inout AdvancedCommerceOperation, _ version: inout String
  ) throws(FieldTypeFailure) {
    try preset("operation", &operation)
    try preset("version", &version)
  }
}

/// The operation of an in-app request, in the Advanced Commerce API.
///
/// Source: Apple, `operation`, Advanced Commerce API.
public struct AdvancedCommerceOperation: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let createOneTimeCharge = Self(rawValue: "CREATE_ONE_TIME_CHARGE")
  public static let createSubscription = Self(rawValue: "CREATE_SUBSCRIPTION")
  public static let modifySubscription = Self(rawValue: "MODIFY_SUBSCRIPTION")
  public static let reactivateSubscription = Self(rawValue: "REACTIVATE_SUBSCRIPTION")

  public static let allCases: [Self] = [
    createOneTimeCharge, createSubscription, modifySubscription, reactivateSubscription,
  ]
}

/// The identification of a request, in the Advanced Commerce API.
///
/// Source: Apple, `advancedCommerceRequestInfo`.
public struct AdvancedCommerceRequestInfo: FieldModel {
  /// The identifier of the request, assigned by the server.
  public var requestReferenceID: UUID = .zero
  /// The customer's account in the app.
  ///
  /// Text that is not a UUID leaves this nil and is kept in ``additionalMembers``.
  public var appAccountToken: UUID?
  public var consistencyToken: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request info.
  public init(requestReferenceID: UUID) {
    self.requestReferenceID = requestReferenceID
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("requestReferenceId", &requestReferenceID)
    try coder.lenient("appAccountToken", &appAccountToken)
    try coder("consistencyToken", &consistencyToken)
  }
}

extension AdvancedCommerceOneTimeChargeCreateRequest {
  /// Checks the documented limits.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try item.checkLimits("item.")
  }
}

extension AdvancedCommerceSubscriptionCreateRequest {
  /// Checks the documented limits.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try descriptors.checkLimits("descriptors.")
    try items.checkLimits(list: "items")
  }
}

extension AdvancedCommerceSubscriptionModifyInAppRequest {
  /// Checks the documented limits.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try descriptors?.checkLimits("descriptors.")
    try addItems?.checkLimits(list: "addItems")
    try changeItems?.checkLimits(list: "changeItems")
    try removeItems?.checkLimits(list: "removeItems")
  }
}

extension AdvancedCommerceSubscriptionReactivateInAppRequest {
  /// Checks the documented limits.
  public func validate() throws(AdvancedCommerceRequestFailure) {
    try checkForm()
    try items?.checkLimits(list: "items")
  }
}

/// An error for a request that the Advanced Commerce API would refuse.
///
/// Fields are named by their path in JSON, such as `items[0].displayName`.
@nonexhaustive
public enum AdvancedCommerceRequestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong(field: String, limit: Int, found: Int)
  case empty(field: String)
  case outOfRange(field: String, allowed: ClosedRange<Int>, found: Int)
  case operation(expected: AdvancedCommerceOperation, found: AdvancedCommerceOperation)
  case version(expected: String, found: String)

  /// A text with the field, the limit and the value found, but no text of the request's items.
  public var description: String {
    switch self {
    case .tooLong(let field, let limit, let found):
      "\(field): at most \(limit) characters, found \(found)"
    case .empty(let field):
      "\(field): at least one element, found none"
    case .outOfRange(let field, let allowed, let found):
      "\(field): \(allowed.lowerBound) to \(allowed.upperBound), found \(found)"
    case .operation(let expected, let found):
      "operation: expected \(expected), found \(found)"
    case .version(let expected, let found):
      "version: expected \(expected), found \(found)"
    }
  }
}
