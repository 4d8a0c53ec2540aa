public import LinkPolicy

/// The reason why a row of an import was refused, so that it gave nobody anything.
@nonexhaustive
public enum ImportRefusal: Error, Hashable, Sendable {
  /// The row cannot be read.
  case malformed(ImportFault)
  /// The host knows no account by any of the identifiers.
  case accountNotFound
  /// The host has no client for the store, or none for the app of the row.
  case storeNotAsked
  /// The store knows no such purchase in the host's apps.
  case unknownToStore
  /// The purchase is over for so long that Google has forgotten it.
  case forgottenByStore
  /// Apple says that the receipt is not authentic, or that its customer is not there any more.
  case notAuthentic
  /// Apple answered about the customer, and no signature in the answer was accepted.
  case answerNotAuthentic
  /// The store refused the question, in a way that would repeat.
  case refusedByStore
  /// The answer of the store was not understood.
  case unreadableAnswer
  /// The purchase is one of another app.
  case wrongApp
  /// The environment does not count for the account, or differs from the stored one.
  case environmentNotAllowed
  /// There is no purchase in the evidence, such as one that was not paid yet.
  case noPurchase
  /// The answer has nothing that can be stored.
  case notRecordable
  /// No purchase has a product of the host; what the store told was recorded.
  case unknownProduct
  /// The rules of links refused the claim, and nothing was written about it.
  ///
  /// Where it is about the account's other subscriptions only, its entitlements have the purchase all the same.
  case link(LinkRefusal)

  /// The name in the report: a word, and for a link the reason after a hyphen.
  public var name: String {
    switch self {
    case .malformed: "malformed"
    case .accountNotFound: "account-not-found"
    case .storeNotAsked: "store-not-asked"
    case .unknownToStore: "unknown-to-store"
    case .forgottenByStore: "forgotten-by-store"
    case .notAuthentic: "not-authentic"
    case .answerNotAuthentic: "answer-not-authentic"
    case .refusedByStore: "refused-by-store"
    case .unreadableAnswer: "unreadable-answer"
    case .wrongApp: "wrong-app"
    case .environmentNotAllowed: "environment-not-allowed"
    case .noPurchase: "no-purchase"
    case .notRecordable: "not-recordable"
    case .unknownProduct: "unknown-product"
    case .link(let reason):
      switch reason {
      case .linkedToOtherAccount: "link-other-account"
      case .linkedToOtherSubscription: "link-other-subscription"
      case .hasValidNonIAP: "link-other-membership"
      case .environmentNotAllowed: "environment-not-allowed"
      case .expiresEarlier: "link-expires-earlier"
      case .notLinked: "link-not-linked"
      case .accountTokenMismatch: "link-account-token"
      }
    }
  }
}

extension ImportRefusal: CustomStringConvertible {
  /// The name, and for a row that cannot be read its place and what was expected.
  public var description: String {
    if case .malformed(let fault) = self { "\(name): \(fault)" } else { name }
  }
}

extension LinkRefusal {
  /// Whether the refusal says that the purchase is somebody else's, in whichever capability.
  var isAboutOwner: Bool { self == .linkedToOtherAccount || self == .accountTokenMismatch }
}
