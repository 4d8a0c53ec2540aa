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

  /// Creates an empty value.
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

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.lenient("imageIdentifier", &imageIdentifier)
    try coder("imageState", &imageState)
    try coder("imageSize", &imageSize)
  }
}
