public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The uploaded messages.
///
/// Source: Apple, `GetMessageListResponse`.
public struct MessageListResponse: FieldModel {
  /// The messages.
  public var messageIdentifiers: [MessageListItem]?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("messageIdentifiers", &messageIdentifiers)
  }
}

/// An uploaded message and its state.
///
/// Source: Apple, `GetMessageListResponseItem`.
public struct MessageListItem: FieldModel {
  /// The identifier of the message.
  ///
  /// Text that is not a UUID leaves this nil and is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?
  /// The state of Apple's review.
  public var messageState: MessageState?

  /// Members that this version does not know, and fields whose text is not a UUID.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("messageState", &messageState)
  }
}
