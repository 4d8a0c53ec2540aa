public import ReceiptModels

/// The source of a membership: the method with which it was paid.
///
/// Source: linking rules, section 1.3.
public struct PayMethod: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let alipay = Self(rawValue: "alipay")
  /// WeChat Pay; old rows have the text `tenpay`.
  public static let wechat = Self(rawValue: "wechat")
  public static let stripe = Self(rawValue: "stripe")
  public static let apple = Self(rawValue: "apple")
  public static let google = Self(rawValue: "google")
  /// A licence that an organisation bought.
  public static let b2b = Self(rawValue: "b2b")

  public static let allCases: [Self] = [alipay, wechat, stripe, apple, google, b2b]

  /// The methods of stores that sell in apps.
  ///
  /// Source: linking rules, section 1.5.
  package static let stores: [PayMethod] = [apple, google]

  /// Creates the method of a stored text; an old name stands for the present one, any other text for itself.
  public init(stored text: String) {
    self = text == "tenpay" ? .wechat : PayMethod(rawValue: text)
  }
}
