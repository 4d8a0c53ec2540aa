public import ReceiptModels

/// The source of a membership: the method with which it was paid.
///
/// Source: linking rules, section 1.3.
public struct PayMethod: StringVocabulary, FieldValue {
  /// The stored text.
  public var rawValue: String
  /// Creates a method of any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let alipay = PayMethod(rawValue: "alipay")
  /// WeChat Pay.
  public static let wechat = PayMethod(rawValue: "wechat")
  public static let stripe = PayMethod(rawValue: "stripe")
  /// An Apple subscription.
  public static let apple = PayMethod(rawValue: "apple")
  /// A subscription of Google Play.
  public static let google = PayMethod(rawValue: "google")
  /// A licence that an organisation bought.
  public static let b2b = PayMethod(rawValue: "b2b")

  /// The known methods.
  public static let allCases: [PayMethod] = [
    alipay, wechat, stripe, apple, google, b2b,
  ]

  /// The methods of stores that sell in apps.
  ///
  /// Source: linking rules, section 1.5.
  package static let stores: [PayMethod] = [apple, google]
}
