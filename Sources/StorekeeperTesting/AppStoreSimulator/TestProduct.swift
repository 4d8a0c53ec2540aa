/// A product that an ``AppStoreSimulator`` sells.
public struct TestProduct: Hashable, Sendable {
  /// The product's identifier.
  public var id: String
  /// What sort of product it is.
  public var kind: Kind

  /// A product.
  public init(_ id: String, _ kind: Kind) {
    self.id = id
    self.kind = kind
  }

  /// The sorts of products that Apple has.
  public enum Kind: Hashable, Sendable {
    /// Used up, and gone from receipts once it is finished.
    case consumable
    /// Owned for good.
    case nonConsumable
    /// A period that the app measures; Apple does not know it.
    case nonRenewing
    /// A period that renews, in a group of which a customer has one at a time.
    case autoRenewable(period: Duration, group: String)
  }

  /// Products of a newspaper, with which a simulator starts.
  ///
  /// `reader.monthly`, `reader.yearly` and `reader.premium` renew after 30, 365 and 365 days and are
  /// one group; `reader.course` does not renew; `reader.lifetime` is bought for good;
  /// `reader.coffee` is used up.
  public static let samples: [TestProduct] = [
    TestProduct("reader.monthly", .autoRenewable(period: .days(30), group: "20000001")),
    TestProduct("reader.yearly", .autoRenewable(period: .days(365), group: "20000001")),
    TestProduct("reader.premium", .autoRenewable(period: .days(365), group: "20000001")),
    TestProduct("reader.course", .nonRenewing),
    TestProduct("reader.lifetime", .nonConsumable),
    TestProduct("reader.coffee", .consumable),
  ]
}

/// The offer that sets the price of a purchase at an ``AppStoreSimulator``.
public enum TestOffer: Hashable, Sendable {
  /// A free trial.
  case trial
  /// A paid introductory offer.
  case introductory
  /// A promotional offer, by its identifier.
  case promotional(String)
  /// An offer code, by its reference name.
  case code(String)
}

extension Duration {
  /// A number of days of 24 hours.
  public static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

  /// The same in seconds.
  var timeInterval: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
