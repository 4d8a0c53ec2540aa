public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The message that is shown by default for a product in a language.
///
/// Source: App Store Server API rules, section 2.5.
public struct DefaultMessageResponse: FieldModel {
  /// The identifier of the message.
  ///
  /// Text that is not a UUID leaves this nil and is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?

  /// Members that this version does not know, and fields whose text is not a UUID.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
  }
}
