public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that the App Store shows to keep a subscriber.
///
/// Source: Apple, `RealtimeResponseBody.message`.
public struct RealtimeMessage: FieldModel {
  /// The message, which was uploaded before.
  ///
  /// A text that is no UUID leaves this nil and is among the ``additionalMembers``.
  public var messageIdentifier: UUID?

  /// Members that this version does not know, and a UUID field whose text is none.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
  }
}
