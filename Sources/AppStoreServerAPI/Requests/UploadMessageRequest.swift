public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message to retain a subscriber, to be uploaded.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `UploadMessageRequestBody`.
public struct UploadMessageRequest: CheckedRequest {
  /// The header, at most 66 UTF-16 units.
  public var header: String = ""
  /// The text, at most 144 UTF-16 units.
  public var body: String = ""
  public var image: UploadMessageImage?
  /// The position of the header, by default above the body; above the image only with ``image``.
  public var headerPosition: HeaderPosition?
  public var bulletPoints: [BulletPoint]?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a message without an image.
  public init(header: String, body: String) {
    self.header = header
    self.body = body
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("header", &header)
    try coder.required("body", &body)
    try coder("image", &image)
    try coder("headerPosition", &headerPosition)
    try coder("bulletPoints", &bulletPoints)
  }
}

/// An image of a message.
///
/// Source: Apple, `UploadMessageImage`.
public struct UploadMessageImage: FieldModel {
  /// The identifier of the image, which was uploaded before.
  public var imageIdentifier: UUID = .zero
  /// The text for those who cannot see the image, at most 150 UTF-16 units.
  public var altText: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an image.
  public init(imageIdentifier: UUID, altText: String) {
    self.imageIdentifier = imageIdentifier
    self.altText = altText
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("imageIdentifier", &imageIdentifier)
    try coder.required("altText", &altText)
  }
}

/// A bullet point of a message.
///
/// Source: Apple, `BulletPoint`.
public struct BulletPoint: FieldModel {
  /// The text, at most 66 UTF-16 units.
  public var text: String = ""
  /// The identifier of the image, which was uploaded before.
  public var imageIdentifier: UUID = .zero
  /// The text for those who cannot see the image, at most 150 UTF-16 units.
  public var altText: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a bullet point.
  public init(text: String, imageIdentifier: UUID, altText: String) {
    self.text = text
    self.imageIdentifier = imageIdentifier
    self.altText = altText
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("text", &text)
    try coder.required("imageIdentifier", &imageIdentifier)
    try coder.required("altText", &altText)
  }
}

extension UploadMessageRequest {
  /// Checks the documented limits, with lengths in UTF-16 units.
  ///
  /// The number of bullet points is not checked, because Apple documents no limit.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.length(header, atMost: 66, "header")
    try RequestCheck.length(body, atMost: 144, "body")
    if let image { try RequestCheck.length(image.altText, atMost: 150, "image.altText") }
    try RequestCheck.known(headerPosition, "headerPosition")
    if headerPosition == .aboveImage, image == nil { throw InvalidRequest("image", .missing) }
    for (index, point) in (bulletPoints ?? []).enumerated() {
      try RequestCheck.length(point.text, atMost: 66, "bulletPoints[\(index)].text")
      try RequestCheck.length(point.altText, atMost: 150, "bulletPoints[\(index)].altText")
    }
  }
}
