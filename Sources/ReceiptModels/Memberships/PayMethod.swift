/// How a membership was paid for.
///
/// Source: contract on linking, section 1.3.
public struct PayMethod: StringVocabulary, FieldValue {
  /// The contract's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Alipay.
  public static let alipay = PayMethod(rawValue: "alipay")
  /// WeChat Pay; rows of the past say `tenpay`.
  public static let wechat = PayMethod(rawValue: "wechat")
  /// Stripe.
  public static let stripe = PayMethod(rawValue: "stripe")
  /// An Apple subscription.
  public static let apple = PayMethod(rawValue: "apple")
  /// A licence that an organisation bought.
  public static let b2b = PayMethod(rawValue: "b2b")

  /// The values of the contract.
  public static let allCases: [PayMethod] = [
    alipay, wechat, stripe, apple, b2b,
  ]

  /// The method that a stored text means: `tenpay` is ``wechat``, any other is itself, known or not.
  public init(stored text: String) {
    self.init(rawValue: text == "tenpay" ? "wechat" : text)
  }
}
