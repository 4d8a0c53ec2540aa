internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A product that a ``PlayStoreSimulator`` sells.
public struct PlayProduct: Hashable, Sendable {
  /// The product's identifier.
  public var id: String
  public var kind: Kind
  /// The price of a piece; of a subscription each base plan has its own.
  public var price: PlayPrice

  /// Creates a product.
  public init(_ id: String, _ kind: Kind, price: PlayPrice = PlayPrice(units: 1)) {
    self.id = id
    self.kind = kind
    self.price = price
  }

  /// A kind of product.
  public enum Kind: Hashable, Sendable {
    /// A subscription with its base plans, of which the first one is the preset.
    case subscription([PlayBasePlan])
    /// A product that is bought once, or again and again if the app consumes it: Google does not know
    /// which.
    case oneTime
  }

  /// The base plans of a subscription; none for a one-time product.
  public var basePlans: [PlayBasePlan] {
    switch kind {
    case .subscription(let plans): plans
    case .oneTime: []
    }
  }

  /// The products of a new simulator, those of a reading app.
  ///
  /// `reader_standard` and `reader_premium` are subscriptions with the base plans `monthly` and `yearly`;
  /// the first one has a prepaid plan `prepaid-month` too. `reader_gems` and `reader_lifetime` are
  /// one-time products.
  public static let samples: [PlayProduct] = [
    PlayProduct(
      "reader_standard",
      .subscription([
        PlayBasePlan("monthly", period: .days(30), price: PlayPrice(units: 4, nanos: 990_000_000)),
        PlayBasePlan("yearly", period: .days(365), price: PlayPrice(units: 39)),
        PlayBasePlan("prepaid-month", .prepaid, period: .days(30), price: PlayPrice(units: 5)),
      ])),
    PlayProduct(
      "reader_premium",
      .subscription([
        PlayBasePlan("monthly", period: .days(30), price: PlayPrice(units: 9, nanos: 990_000_000)),
        PlayBasePlan("yearly", period: .days(365), price: PlayPrice(units: 99)),
      ])),
    PlayProduct("reader_gems", .oneTime),
    PlayProduct("reader_lifetime", .oneTime),
  ]
}

/// A base plan of a subscription: a period with a price, which renews or is prepaid.
public struct PlayBasePlan: Hashable, Sendable {
  /// The identifier within the subscription.
  public var id: String
  /// Whether the plan renews by itself.
  public var kind: Kind
  public var period: Duration
  public var price: PlayPrice
  /// Whether the plan is for sale; whoever has it keeps it.
  public var isActive = true
  /// The payments that the customer commits to; nil for a plan without instalments.
  public var installments: PlayInstallments?

  /// A kind of base plan.
  public enum Kind: Hashable, Sendable {
    /// Charged again at the end of each period.
    case autoRenewing
    /// Paid in advance, and topped up by the customer.
    case prepaid
  }

  /// Creates a base plan.
  public init(
    _ id: String, _ kind: Kind = .autoRenewing, period: Duration,
    price: PlayPrice = PlayPrice(units: 1)
  ) {
    self.id = id
    self.kind = kind
    self.period = period
    self.price = price
  }
}

/// The payments that the customer of a base plan commits to.
public struct PlayInstallments: Hashable, Sendable {
  /// The number of payments at first.
  public var initial: Int
  /// The number of payments of each further commitment; nil if the plan then renews as others do.
  public var subsequent: Int?

  /// Creates a commitment to payments.
  public init(_ initial: Int, subsequent: Int? = nil) {
    self.initial = initial
    self.subsequent = subsequent
  }

  /// The payments that the first commitment has, at least one.
  var committed: Int { max(1, initial) }
}

/// An amount of money, as Google writes it.
public struct PlayPrice: Hashable, Sendable {
  /// The currency's code of three letters.
  public var currencyCode: String
  /// The whole units.
  public var units: Int
  /// The rest, in billionths of a unit.
  public var nanos: Int

  /// Creates an amount.
  public init(_ currencyCode: String = "USD", units: Int, nanos: Int = 0) {
    self.currencyCode = currencyCode
    self.units = units
    self.nanos = nanos
  }
}

/// The circumstances of a purchase at a ``PlayStoreSimulator``.
public struct PlayTerms: Hashable, Sendable {
  /// The offer that applies to the base plan; nil for none.
  public var offer: String?
  /// The phase of the offer in the first period of a subscription; later ones, and all without an offer, have the price
  /// of the plan.
  public var firstPhase = Phase.basePrice
  /// The account that the app names, obfuscated; it comes back as `obfuscatedExternalAccountId`.
  public var obfuscatedAccountID: String?
  /// The profile that the app names, obfuscated.
  public var obfuscatedProfileID: String?
  /// The kind of account that buys.
  public var buyer: Buyer
  /// Whether the money has come in.
  public var payment: Payment
  /// The way in which a one-time product is sold.
  public var purchaseOption = PurchaseOption.buy
  /// The country of the buyer, in two letters.
  public var regionCode: String

  /// Creates terms: by default a customer pays at once, without naming an account.
  public init(
    offer: String? = nil, obfuscatedAccountID: String? = nil, obfuscatedProfileID: String? = nil,
    buyer: Buyer = .customer, payment: Payment = .immediate, regionCode: String = "US"
  ) {
    self.offer = offer
    self.obfuscatedAccountID = obfuscatedAccountID
    self.obfuscatedProfileID = obfuscatedProfileID
    self.buyer = buyer
    self.payment = payment
    self.regionCode = regionCode
  }

  /// A phase of an offer.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case freeTrial
    case introductoryPrice
    /// The price of the base plan.
    case basePrice
  }

  /// A kind of account.
  public enum Buyer: String, Hashable, Sendable, CaseIterable {
    /// An ordinary one.
    case customer
    /// A license tester, who pays nothing; the purchases are marked, and have to be acknowledged within
    /// minutes.
    case licenseTester
  }

  /// A way in which a one-time product is sold.
  public enum PurchaseOption: Hashable, Sendable {
    case buy
    case rent
    /// It is paid at its release, which the simulator carries out by itself; until then it is pending.
    case preorder(release: Date)

    /// The identifier of the option.
    var id: String { self == .rent ? "rent" : "buy" }

    /// The date at which the product is released; nil for one that is for sale now.
    var release: Date? {
      if case .preorder(let release) = self { release } else { nil }
    }
  }

  /// A state of the payment.
  public enum Payment: String, Hashable, Sendable, CaseIterable {
    case immediate
    /// To be paid later, for example in cash.
    case pending
  }
}

/// A way in which one plan replaces another.
public enum PlayReplacementMode: String, Hashable, Sendable, CaseIterable {
  /// At once, and the new plan is paid in full.
  case chargeFullPrice = "CHARGE_FULL_PRICE"
  /// At once; the rest of the paid time is kept, and the new price is paid at its end.
  case withoutProration = "WITHOUT_PRORATION"
  /// At the end of the paid time.
  case deferred = "DEFERRED"
}
