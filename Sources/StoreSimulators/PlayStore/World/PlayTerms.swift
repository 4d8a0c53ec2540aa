/// The circumstances of a purchase at a ``PlayStoreSimulator``.
public struct PlayTerms: Hashable, Sendable {
  /// The offer that applies to the base plan; nil for none.
  public var offer: String?
  /// The account that the app names, obfuscated; it comes back as `obfuscatedExternalAccountId`.
  public var obfuscatedAccountID: String?
  /// The profile that the app names, obfuscated.
  public var obfuscatedProfileID: String?
  /// The kind of account that buys.
  public var buyer: Buyer
  /// Whether the money has come in.
  public var payment: Payment
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

  /// A kind of account.
  public enum Buyer: String, Hashable, Sendable, CaseIterable {
    /// An ordinary one.
    case customer
    /// A license tester, who pays nothing; the purchases are marked, and have to be acknowledged within
    /// minutes.
    case licenseTester
  }

  /// A state of the payment.
  public enum Payment: String, Hashable, Sendable, CaseIterable {
    /// Paid.
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
