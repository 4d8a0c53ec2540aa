public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the Advanced Commerce API offers to keep a subscriber.
///
/// Source: Apple, `RealtimeResponseBody.advancedCommerceInfo`.
public struct RealtimeAdvancedCommerceInfo: FieldModel {
  /// The message, which was uploaded before.
  ///
  /// A text that is no UUID leaves this nil and is among the ``additionalMembers``.
  public var messageIdentifier: UUID?
  /// Text for the Advanced Commerce API, which is not read here.
  public var advancedCommerceData: String?

  /// Members that this version does not know, and a UUID field whose text is none.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("advancedCommerceData", &advancedCommerceData)
  }
}
