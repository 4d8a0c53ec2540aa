extension PurchaseEvent.Kind {
  /// An account was linked with a subscription.
  public static let membershipLinked = Self(rawValue: "membership.linked")
  /// An account was unlinked from its subscription.
  public static let membershipUnlinked = Self(rawValue: "membership.unlinked")
  /// The last day of a membership is a later one.
  public static let membershipRenewed = Self(rawValue: "membership.renewed")
  /// Something else of a membership changed: its tier, its renewal, or an earlier last day that is not over.
  public static let membershipChanged = Self(rawValue: "membership.changed")
  /// A membership rests on another subscription of the same account.
  public static let membershipMoved = Self(rawValue: "membership.moved")
  /// A change made a membership end: its last day is over.
  public static let membershipLapsed = Self(rawValue: "membership.lapsed")

  /// The first charge of a subscription was recorded.
  public static let subscriptionStarted = Self(rawValue: "subscription.started")
  /// A subscription has a later period of the same product.
  public static let subscriptionRenewed = Self(rawValue: "subscription.renewed")
  /// A subscription has a period of another product.
  public static let subscriptionProductChanged = Self(rawValue: "subscription.product_changed")
  /// The customer turned the renewal off.
  public static let subscriptionRenewalOff = Self(rawValue: "subscription.renewal_off")
  /// The customer turned the renewal on again.
  public static let subscriptionRenewalOn = Self(rawValue: "subscription.renewal_on")
  /// A renewal was not paid, and the store gives a time of grace.
  public static let subscriptionInGrace = Self(rawValue: "subscription.in_grace")
  /// A renewal was not paid, and the store goes on trying, without grace.
  public static let subscriptionOnHold = Self(rawValue: "subscription.on_hold")
  /// The store says that a subscription has ended.
  public static let subscriptionExpired = Self(rawValue: "subscription.expired")
  /// The store asks the customer to agree to a higher price, or told of it, or the customer agreed.
  public static let subscriptionPriceIncrease = Self(rawValue: "subscription.price_increase")
  /// The customer redeemed an offer.
  public static let subscriptionOfferRedeemed = Self(rawValue: "subscription.offer_redeemed")
  /// The store told of offers by which the customer may come back.
  public static let subscriptionWinBackEligible = Self(rawValue: "subscription.win_back_eligible")

  /// A purchase was refunded.
  public static let purchaseRefunded = Self(rawValue: "purchase.refunded")
  /// A purchase was taken back otherwise: by a family's organizer, or at Google Play by an end before its time.
  public static let purchaseRevoked = Self(rawValue: "purchase.revoked")
  /// A purchase that had been refunded counts again.
  public static let purchaseRefundReversed = Self(rawValue: "purchase.refund_reversed")
  /// A purchase came to the account from another one.
  public static let purchaseMoved = Self(rawValue: "purchase.moved")
  /// A purchase went from the account to another one.
  public static let purchaseMovedAway = Self(rawValue: "purchase.moved_away")
  /// A store asks about the use of a purchase whose refund was requested.
  public static let purchaseRefundRequested = Self(rawValue: "purchase.refund_requested")

  /// Credits of a purchase were given.
  public static let creditsGranted = Self(rawValue: "credits.granted")
  /// Credits of a refunded purchase were taken back.
  public static let creditsClawedBack = Self(rawValue: "credits.clawed_back")
  /// Credits that had been taken back were given again.
  public static let creditsRestored = Self(rawValue: "credits.restored")
  /// The host booked credits itself, such as spending.
  public static let creditsBooked = Self(rawValue: "credits.booked")
  /// A starter pack was paid for and refused, as its buyer had bought one before.
  public static let creditsStarterRefused = Self(rawValue: "credits.starter_refused")

  /// What an account may use in an app may have changed; the answer about its products tells.
  public static let entitlementChanged = Self(rawValue: "entitlement.changed")

  /// A subscription was ordered.
  public static let orderAccepted = Self(rawValue: "order.accepted")
  /// An ordered subscription has a later end.
  public static let orderRenewed = Self(rawValue: "order.renewed")
  /// An ordered subscription has another level, or an earlier end that is not over.
  public static let orderChanged = Self(rawValue: "order.changed")
  /// An ordered subscription ended, or was removed.
  public static let orderEnded = Self(rawValue: "order.ended")

  /// An account was erased; what is kept of it has the event's account, a pseudonym.
  public static let accountErased = Self(rawValue: "account.erased")
  /// An account claimed a purchase that is another's, for a membership or in an app.
  ///
  /// Refused orders and packs of credits record no dispute.
  public static let disputeRecorded = Self(rawValue: "dispute.recorded")
  /// An authentic notification could not be decoded, and is kept for a later version.
  public static let notificationNotDecoded = Self(rawValue: "notification.not_decoded")
  /// A parent withdrew the consent to a child's use of the app.
  public static let consentRescinded = Self(rawValue: "consent.rescinded")
  /// The store made a token for external purchases.
  public static let externalPurchaseCreated = Self(rawValue: "external_purchase.created")
  /// The store reminds of a token for external purchases that is still in use.
  public static let externalPurchaseReminder = Self(rawValue: "external_purchase.reminder")
  /// The store has no report about a token for external purchases.
  public static let externalPurchaseUnreported = Self(rawValue: "external_purchase.unreported")

  public static let allCases: [PurchaseEvent.Kind] =
    memberships + [
      subscriptionPriceIncrease, subscriptionOfferRedeemed, subscriptionWinBackEligible,
    ] + purchases + [
      purchaseMoved, purchaseMovedAway, purchaseRefundRequested, creditsGranted, creditsClawedBack,
      creditsRestored, creditsBooked, creditsStarterRefused, entitlementChanged,
    ] + orders + [
      accountErased, disputeRecorded, notificationNotDecoded, consentRescinded,
      externalPurchaseCreated,
      externalPurchaseReminder, externalPurchaseUnreported,
    ]

  static let memberships: [PurchaseEvent.Kind] = [
    membershipLinked, membershipUnlinked, membershipRenewed, membershipChanged, membershipMoved,
    membershipLapsed,
  ]

  static let purchases: [PurchaseEvent.Kind] = [
    subscriptionStarted, subscriptionRenewed, subscriptionProductChanged, subscriptionRenewalOff,
    subscriptionRenewalOn, subscriptionInGrace, subscriptionOnHold, subscriptionExpired,
    purchaseRefunded, purchaseRevoked, purchaseRefundReversed,
  ]

  static let orders: [PurchaseEvent.Kind] = [orderAccepted, orderRenewed, orderChanged, orderEnded]

  static let credits: [PurchaseEvent.Kind] = [
    creditsGranted, creditsClawedBack, creditsRestored, creditsBooked,
  ]

  /// The events of what the host has been told by messages of the outbox before.
  static let notices: [PurchaseEvent.Kind] = [
    subscriptionPriceIncrease, subscriptionOfferRedeemed, subscriptionWinBackEligible,
    purchaseRefundRequested, creditsStarterRefused, consentRescinded, externalPurchaseCreated,
    externalPurchaseReminder, externalPurchaseUnreported,
  ]
}
