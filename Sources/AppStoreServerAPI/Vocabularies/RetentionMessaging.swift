internal import JSONValues
public import ReceiptModels

/// The state of Apple's review of an image.
///
/// Source: Apple, `imageState`.
public struct ImageState: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let pending = Self(rawValue: "PENDING")
  public static let approved = Self(rawValue: "APPROVED")
  public static let rejected = Self(rawValue: "REJECTED")

  public static let allCases: [Self] = [pending, approved, rejected]
}

/// The state of Apple's review of a message.
///
/// Source: Apple, `messageState`.
public struct MessageState: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let pending = Self(rawValue: "PENDING")
  public static let approved = Self(rawValue: "APPROVED")
  public static let rejected = Self(rawValue: "REJECTED")

  public static let allCases: [Self] = [pending, approved, rejected]
}

/// The size of an image.
///
/// Source: Apple, `imageSize`.
public struct ImageSize: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// 3,840 pixels wide and 160 to 2,160 pixels high.
  public static let fullSize = Self(rawValue: "FULL_SIZE")
  /// 1,024 pixels wide and high.
  public static let bulletPoint = Self(rawValue: "BULLET_POINT")

  public static let allCases: [Self] = [fullSize, bulletPoint]
}

/// The position of the header of a message.
///
/// Source: Apple, `headerPosition`.
public struct HeaderPosition: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let aboveBody = Self(rawValue: "ABOVE_BODY")
  public static let aboveImage = Self(rawValue: "ABOVE_IMAGE")

  public static let allCases: [Self] = [aboveBody, aboveImage]
}

/// The result of a performance test.
///
/// Source: Apple, `PerformanceTestStatus`.
public struct PerformanceTestStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let pending = Self(rawValue: "PENDING")
  public static let pass = Self(rawValue: "PASS")
  public static let fail = Self(rawValue: "FAIL")

  public static let allCases: [Self] = [pending, pass, fail]
}
