internal import JSONValues
public import ReceiptModels

/// The state of Apple's review of an image.
///
/// Source: Apple, `imageState`.
public struct ImageState: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Not reviewed yet.
  public static let pending = ImageState(rawValue: "PENDING")
  public static let approved = ImageState(rawValue: "APPROVED")
  public static let rejected = ImageState(rawValue: "REJECTED")

  /// The values that Apple documents.
  public static let allCases: [ImageState] = [
    pending, approved, rejected,
  ]
}

/// The state of Apple's review of a message.
///
/// Source: Apple, `messageState`.
public struct MessageState: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Not reviewed yet.
  public static let pending = MessageState(rawValue: "PENDING")
  public static let approved = MessageState(rawValue: "APPROVED")
  public static let rejected = MessageState(rawValue: "REJECTED")

  /// The values that Apple documents.
  public static let allCases: [MessageState] = [
    pending, approved, rejected,
  ]
}

/// The size of an image.
///
/// Source: Apple, `imageSize`.
public struct ImageSize: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// 3,840 pixels wide and 160 to 2,160 pixels high.
  public static let fullSize = ImageSize(rawValue: "FULL_SIZE")
  /// 1,024 pixels wide and high.
  public static let bulletPoint = ImageSize(rawValue: "BULLET_POINT")

  /// The values that Apple documents.
  public static let allCases: [ImageSize] = [
    fullSize, bulletPoint,
  ]
}

/// The position of the header of a message.
///
/// Source: Apple, `headerPosition`.
public struct HeaderPosition: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let aboveBody = HeaderPosition(rawValue: "ABOVE_BODY")
  public static let aboveImage = HeaderPosition(rawValue: "ABOVE_IMAGE")

  /// The values that Apple documents.
  public static let allCases: [HeaderPosition] = [
    aboveBody, aboveImage,
  ]
}

/// The result of a performance test.
///
/// Source: Apple, `PerformanceTestStatus`.
public struct PerformanceTestStatus: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The test is running.
  public static let pending = PerformanceTestStatus(rawValue: "PENDING")
  /// The test was passed.
  public static let pass = PerformanceTestStatus(rawValue: "PASS")
  /// The test was failed.
  public static let fail = PerformanceTestStatus(rawValue: "FAIL")

  /// The values that Apple documents.
  public static let allCases: [PerformanceTestStatus] = [
    pending, pass, fail,
  ]
}
