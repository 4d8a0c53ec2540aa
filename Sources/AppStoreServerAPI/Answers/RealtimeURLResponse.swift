public import JSONValues
public import ReceiptModels

/// The address that Apple sends real-time requests to.
///
/// Source: App Store Server API rules, section 2.5.
public struct RealtimeURLResponse: FieldModel {
  /// The address.
  public var realtimeURL: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("realtimeURL", &realtimeURL)
  }
}
