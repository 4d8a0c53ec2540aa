public import CreditPolicy
public import GooglePlayVerifier
public import JWSVerifier
internal import PurchaseStorage
public import ReceiptModels

/// A service that gives credits for purchases in the App Store and at Google Play, once each, and takes them back
/// after refunds.
///
/// ```swift
/// let credits = try CreditService(shop, products: products)
///
/// let grant = try await credits.grant(transaction, of: "welcome_pack", to: "alice")
/// try await credits.book(
///   LedgerBooking(
///     userID: "alice", eventID: "render:8841", changeType: .init(rawValue: "spending"),
///     subjectType: "render", subjectID: "8841", amount: -5))
/// ```
///
/// Each request is one transaction of the store, so it takes effect completely or not at all. Any number of requests,
/// services and processes may share a store. The host checks whether the caller is authorized. Refunds arrive through
/// ``NotificationService``. Source: credit rules.
public struct CreditService: PurchaseService {
  /// The parts that the service shares with others; its accounts may know app account tokens and e-mail
  /// addresses.
  public let context: PurchaseContext
  /// The verifier of clients' signed transactions.
  public let verifier: SignedDataVerifier
  public let options: CreditOptions
  /// The client of the app's purchases at Google Play; nil for a host that sells no credits there.
  public let googlePlay: GooglePlayClient?

  private let currentProducts: @Sendable () -> CreditProducts

  /// Creates a service; `products` returns those in use at the moment of a request, so that they can be replaced
  /// without a restart.
  ///
  /// - Throws: ``ServiceFailure`` if the database has no credits, or the context no verifier.
  public init(
    _ context: PurchaseContext, options: CreditOptions = CreditOptions(),
    googlePlay: GooglePlayClient? = nil, products: @escaping @Sendable () -> CreditProducts
  ) throws(ServiceFailure) {
    try context.require(.credits)
    self.context = context
    verifier = try context.requiredVerifier()
    currentProducts = products
    self.options = options
    self.googlePlay = googlePlay
  }

  /// Creates a service with products that stay the same.
  ///
  /// - Throws: ``ServiceFailure`` if the database has no credits, or the context no verifier.
  public init(
    _ context: PurchaseContext, products: CreditProducts, options: CreditOptions = CreditOptions(),
    googlePlay: GooglePlayClient? = nil
  ) throws(ServiceFailure) {
    try self.init(context, options: options, googlePlay: googlePlay) { products }
  }

  public var products: CreditProducts { currentProducts() }
}

/// The settings of credits.
///
/// Source: credit rules, sections 2, 6 and 7.
public struct CreditOptions: Sendable {
  /// The environments whose purchases get credits; Production and Sandbox by default.
  ///
  /// App Review and TestFlight buy in the Sandbox, where nobody pays.
  public var environments = CountedEnvironments.all
  /// The types of notifications that take credits back.
  public var clawbackTypes = CreditNotice.clawbackTypes
  /// The credits that a refund of a part of the price takes back; all of them by default.
  public var partialRefunds = PartialRefundRule.whole
  /// Returns the identity of a user, of whom each gets one starter pack, from the e-mail address.
  ///
  /// If it is empty, the user is the identity.
  public var identity: @Sendable (String?, AccountID) -> String = { email, userID in
    StarterIdentity.identity(email: email, userID: userID)
  }

  /// Creates the settings of the contract.
  public init() {}
}

/// The reason for refusing a request about credits.
///
/// After any of these, nothing was written, except that a refused starter pack is told to the host
/// (``CreditService/grant(_:signedTransactionInfo:)``). Source: credit rules, section 2.
@nonexhaustive
public enum CreditFailure: Error, Hashable, Sendable {
  case refused(GrantRefusal)
  /// The signed transaction is not authentic, or belongs to another app.
  case notVerified(SignedDataFailure)
  case environmentNotAllowed(AppStoreEnvironment)
  /// The signed transaction is authentic, but lacks a value that is needed.
  case payloadInvalid
  /// The revocation status of a certificate is unknown, because Apple could not be reached.
  case revocationUnknown(SignedDataFailure)
  /// Google Play knows no such purchase in the app.
  case purchaseNotFound(GooglePlayFailure)
  /// Google Play could not be asked.
  case googlePlayUnavailable(GooglePlayFailure)
  /// The service has no client of Google Play.
  case googlePlayNotServed
  case balanceInsufficient
  /// The new balance would not fit in 64 bits.
  case amountOutOfRange
  /// The event's identifier or the kind of the change is reserved for purchases.
  case reservedEvent
  /// Other requests changed the same records again and again; try later.
  case conflict
}
