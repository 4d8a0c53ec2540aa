public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The uploaded images.
///
/// Source: Apple, `GetImageListResponse`.
public struct ImageListResponse: FieldModel {
  public var imageIdentifiers: [ImageListItem]?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("imageIdentifiers", &imageIdentifiers)
  }
}

/// An uploaded image and its state.
///
/// Source: Apple, `GetImageListResponseItem`.
public struct ImageListItem: FieldModel {
  /// Nil for text that is not a UUID, which is kept in ``additionalMembers``.
  public var imageIdentifier: UUID?
  public var imageState: ImageState?
  public var imageSize: ImageSize?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("imageIdentifier", &imageIdentifier)
    try coder("imageState", &imageState)
    try coder("imageSize", &imageSize)
  }
}

/// The message that is shown by default for a product in a language.
///
/// Source: App Store Server API rules, section 2.5.
public struct DefaultMessageResponse: FieldModel {
  /// Nil for text that is not a UUID, which is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
  }
}

/// The address that Apple sends real-time requests to.
///
/// Source: App Store Server API rules, section 2.5.
public struct RealtimeURLResponse: FieldModel {
  public var realtimeURL: String?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("realtimeURL", &realtimeURL)
  }
}

/// The uploaded messages.
///
/// Source: Apple, `GetMessageListResponse`.
public struct MessageListResponse: FieldModel {
  public var messageIdentifiers: [MessageListItem]?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("messageIdentifiers", &messageIdentifiers)
  }
}

/// An uploaded message and its state.
///
/// Source: Apple, `GetMessageListResponseItem`.
public struct MessageListItem: FieldModel {
  /// Nil for text that is not a UUID, which is kept in ``additionalMembers``.
  public var messageIdentifier: UUID?
  public var messageState: MessageState?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("messageIdentifier", &messageIdentifier)
    try coder("messageState", &messageState)
  }
}
