internal import AppStoreServerAPI
internal import GooglePlayVerifier
internal import OrderPolicy
internal import ReceiptVerifier

/// The meaning of a failure to ask a store about a purchase: the one answer for an import, a rebuild, a recovery and a
/// migration.
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
      case OrderFailure.vendorUnavailable(let failure): Self.meaning(of: failure.reason)
      default: .fatal
      }
  }

  /// Whether nothing is known, and the same question may be answered later.
  var isOutage: Bool { if case .outage = self { true } else { false } }

  /// Whether only an answer about another purchase tells whether this is about one or about all.
  var isDoubtful: Bool {
    switch self {
    case .outage, .fatalIfCommon: true
    case .refusal, .fatal: false
    }
  }

  private static func meaning(of reason: IncidentalFailure.Reason) -> AskingFailure {
    switch reason {
    case .refused: .fatal
    case .unreadable: .refusal(.unreadableAnswer)
    default: .outage
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
    // It may be about the key or the app, and then it comes for every purchase.
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

extension AppStoreServerFailure {
  /// Whether the failure would come again for this customer; one with status 403 may come for all.
  fileprivate var concernsOneCustomer: Bool {
    guard retry == .never, status != .unauthorized else { return false }
    switch reason {
    case .cancelled, .keyUnavailable, .signing, .transport, .environmentRequired: return false
    default: return true
    }
  }
}
