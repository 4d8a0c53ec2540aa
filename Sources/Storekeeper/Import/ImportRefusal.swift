internal import AppStoreServerAPI
internal import GooglePlayVerifier
public import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier

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

/// The meaning of a failure to ask a store about a row.
enum AskingFailure {
  /// An answer, which would come again.
  case refusal(ImportRefusal)
  /// Nothing is known; the same question may be answered later.
  case outage
  /// Nothing is known, and somebody has to mend something, or the task was cancelled.
  case fatal
  /// An answer if the store answers about others, and else nothing is known, and somebody has to mend something.
  case fatalIfCommon(ImportRefusal)

  init(_ error: any Error) {
    self =
      switch error {
      case let refusal as ImportRefusal: .refusal(refusal)
      case let failure as EvidenceFailure: Self.meaning(of: failure)
      case let failure as AppStoreServerFailure: Self.meaning(of: failure)
      case let failure as GooglePlayFailure: Self.meaning(of: failure)
      case FactsFailure.empty: .refusal(.noPurchase)
      case FactsFailure.environmentNotRecorded: .refusal(.environmentNotAllowed)
      case is FactsFailure: .refusal(.notRecordable)
      default: .fatal
      }
  }

  private static func meaning(of failure: EvidenceFailure) -> AskingFailure {
    switch failure {
    case .notSupported: .refusal(.storeNotAsked)
    case .wrongApp: .refusal(.wrongApp)
    case .facts(let reason): AskingFailure(reason)
    case .googlePlay(let reason): meaning(of: reason)
    case .receipt, .signedData: .refusal(.notAuthentic)
    case .verifyReceipt(.refused(let refusal, _)):
      switch refusal {
      case .notAuthenticated, .accountNotFound: .refusal(.notAuthentic)
      case .bundleMismatch: .refusal(.wrongApp)
      case .environmentNotAllowed, .wrongServer: .refusal(.environmentNotAllowed)
      case .noSubscriptions: .refusal(.noPurchase)
      case .input: .refusal(.refusedByStore)
      @unknown default: .refusal(.refusedByStore)
      }
    case .verifyReceipt(.transient(.sharedSecretMismatch, _)): .fatal
    case .verifyReceipt(.transient(.malformedReceipt, _)),
      .verifyReceipt(.transient(.internalDataAccess, _)):
      .refusal(.refusedByStore)
    case .verifyReceipt(let failure):
      failure.isUnreachable ? .outage : .refusal(.unreadableAnswer)
    }
  }

  private static func meaning(of failure: AppStoreServerFailure) -> AskingFailure {
    if failure.isUnknownIdentifier { return .refusal(.unknownToStore) }
    switch failure.reason {
    case .timeUp, .limited, .notJSON: return .outage
    case .otherApp: return .refusal(.wrongApp)
    case .invalidRequest, .environmentNotServed: return .refusal(.unknownToStore)
    default: break
    }
    if (failure.status?.code ?? 0) >= 500 { return .outage }
    switch failure.retry {
    case .afterBackOff, .notBefore, .startOver: return .outage
    case .otherEnvironment: return .refusal(.unknownToStore)
    case .never: break
    }
    guard failure.concernsOneCustomer else { return .fatal }
    // It may be about the key or the app, and then it comes for every row.
    if failure.status == .forbidden { return .fatalIfCommon(.refusedByStore) }
    return .refusal(failure.status == nil ? .unreadableAnswer : .refusedByStore)
  }

  private static func meaning(of failure: GooglePlayFailure) -> AskingFailure {
    if case .packageNameMismatch = failure { return .refusal(.wrongApp) }
    switch failure.kind {
    case .invalid: return .refusal(.unknownToStore)
    case .gone: return .refusal(.forgottenByStore)
    case .limited, .backend, .transport: return .outage
    case .credentials, .cancelled: return .fatal
    case .unreadable:
      switch failure {
      case .notJSON, .unexpectedStatus: return .outage
      default: return .refusal(.unreadableAnswer)
      }
    }
  }
}
