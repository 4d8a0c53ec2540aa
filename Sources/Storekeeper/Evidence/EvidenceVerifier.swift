public import GooglePlayVerifier
internal import JSONValues
public import JWSVerifier
public import ReceiptModels
public import ReceiptVerifier

/// A verifier that makes facts of whatever a client or a store hands over.
///
/// ```swift
/// let evidence = EvidenceVerifier(shop, appStore: receipts)
/// let facts = try await evidence.facts(of: .receipt(receipt), inApp: "com.example.reader")
/// try await subscriptions.record(facts)
/// ```
///
/// Source: linking rules, section 4; entitlement rules, section 4.
public struct EvidenceVerifier: Sendable {
  var signedData: SignedDataVerifier?
  var appStore: VerifyReceiptClient?
  var receipts: AppReceiptVerifier?
  var googlePlay: PlayPurchaseSource?
  var extent = ReceiptExtent.allPurchases
  /// Whether the Sandbox may send a receipt on to Production; if not, such a receipt is refused.
  var movesToProduction = false
  /// The port that is told of each verification; nil to tell nobody.
  var telemetry: (any Telemetry)?
}

extension EvidenceVerifier {
  /// Creates a verifier; what is nil is not supported.
  ///
  /// - Parameters:
  ///   - context: The parts that services share, with the verifier of signed transactions.
  ///   - appStore: The client of verifyReceipt, which is asked about receipts.
  ///   - receipts: The verifier of receipts where there is no client.
  ///   - googlePlay: The client of Google Play, which is asked about purchase tokens.
  ///   - extent: The purchases of a receipt that facts have.
  public init(
    _ context: PurchaseContext, appStore: VerifyReceiptClient? = nil,
    receipts: AppReceiptVerifier? = nil, googlePlay: GooglePlayClient? = nil,
    extent: ReceiptExtent = .allPurchases
  ) {
    let play = googlePlay.map { PlayPurchaseSource($0, store: context.store, now: context.now) }
    self.init(
      signedData: context.verifier, appStore: appStore, receipts: receipts, googlePlay: play,
      extent: extent, telemetry: context.telemetry)
  }

  /// Verifies evidence: signature, certificates, environment and app, or what the store says of it.
  ///
  /// Whose the purchases are is not checked. Nothing is written. Of Apple's apps, `bundleID` is the only one that
  /// counts; nil for all that the verifiers accept.
  ///
  /// - Throws: ``EvidenceFailure``, or `CancellationError`.
  public func facts(
    of evidence: PurchaseEvidence, inApp bundleID: String? = nil
  ) async throws -> PurchaseFacts {
    let verified = try await verified(evidence)
    let isRight = bundleID.map { verified.bundleID?.isSameText(as: $0) == true } ?? true
    guard isRight || evidence.vendor == .google else { throw EvidenceFailure.wrongApp }
    return try verified.facts.get()
  }

  /// Verifies evidence, of which facts may be missing; one of Apple's servers is asked about a receipt first.
  package func verified(
    _ evidence: PurchaseEvidence, startingAt server: VerifyReceiptServer = .production
  ) async throws -> VerifiedEvidence {
    try await watching(evidence.kind) { try await judged(evidence, startingAt: server) }
  }

  private func judged(
    _ evidence: PurchaseEvidence, startingAt server: VerifyReceiptServer
  ) async throws -> VerifiedEvidence {
    switch evidence {
    case .signedTransaction(let token, let renewalToken):
      let transaction = try await checkedTransaction(token)
      guard let renewalToken else { return VerifiedEvidence(transaction) }
      let renewalInfo = try await checked(.renewalInfo) { verifier throws(SignedDataFailure) in
        try verifier.renewalInfo(renewalToken)
      }
      return VerifiedEvidence(transaction, renewalInfo: renewalInfo)
    case .receipt(let text):
      if appStore == nil, let receipts {
        do throws(ReceiptFailure) {
          let verified = try receipts.verify(base64: text)
          return VerifiedEvidence(
            bundleID: verified.receipt.bundleID,
            facts: Result { () throws(FactsFailure) in try PurchaseFacts(verified) }
              .mapError { .facts($0) })
        } catch {
          throw EvidenceFailure.receipt(error)
        }
      }
      return VerifiedEvidence(
        try await judgedAnswer(about: text, startingAt: server), extent, posted: text)
    case .purchaseToken(let token):
      guard let googlePlay else { throw EvidenceFailure.notSupported }
      do {
        return VerifiedEvidence(facts: .success(try await googlePlay.facts(ofToken: token)))
      } catch let failure as GooglePlayFailure {
        if failure.kind == .cancelled { throw CancellationError() }
        throw EvidenceFailure.googlePlay(failure)
      } catch let failure as FactsFailure {
        throw EvidenceFailure.facts(failure)
      }
    }
  }

  func transaction(_ token: String) async throws(EvidenceFailure) -> Verified<Transaction> {
    try await telemetry.verifying(.signedTransaction, \.verdict) {
      () async throws(EvidenceFailure) in try await checkedTransaction(token)
    }
  }

  private func checkedTransaction(
    _ token: String
  ) async throws(EvidenceFailure) -> Verified<Transaction> {
    try await checked(.transaction) { verifier throws(SignedDataFailure) in
      try verifier.transaction(token)
    }
  }

  private func checked<Payload>(
    _ name: NestedToken,
    _ verify: (SignedDataVerifier) throws(SignedDataFailure) -> Verified<Payload>
  ) async throws(EvidenceFailure) -> Verified<Payload> {
    guard let signedData else { throw .notSupported }
    do throws(SignedDataFailure) {
      return try await signedData.checkingRevocation(of: verify(signedData))
    } catch {
      throw .signedData(error, of: name)
    }
  }

  func answer(
    about receipt: String, startingAt server: VerifyReceiptServer
  ) async throws -> VerifiedReceipt {
    try await watching(.receipt) { try await judgedAnswer(about: receipt, startingAt: server) }
  }

  private func judgedAnswer(
    about receipt: String, startingAt server: VerifyReceiptServer
  ) async throws -> VerifiedReceipt {
    guard let appStore else { throw EvidenceFailure.notSupported }
    let verified: VerifiedReceipt
    do {
      verified = try await appStore.verify(base64: receipt, startingAt: server)
    } catch let failure as VerifyReceiptFailure {
      throw EvidenceFailure.verifyReceipt(failure)
    }
    // The client may be configured to fall back to Production.
    guard server == .production || verified.environment == .sandbox || movesToProduction else {
      throw EvidenceFailure.verifyReceipt(.refused(.wrongServer(.productionReceipt)))
    }
    return verified
  }
}

extension EvidenceVerifier {
  /// Verifies evidence of a kind, of which the telemetry is told, if there is one.
  private func watching<Result>(
    _ kind: VerifiedKind, _ verify: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    try await telemetry.verifying(
      kind, { ($0 as? EvidenceFailure)?.verdict ?? TelemetryVerdict(.failed) }, verify)
  }
}

extension Optional where Wrapped == any Telemetry {
  /// Asks Google about a purchase token, of which the port is told as a verification, if there is one.
  func verifyingToken<Answer>(
    _ ask: nonisolated(nonsending) () async throws(GooglePlayFailure) -> Answer
  ) async throws(GooglePlayFailure) -> Answer {
    try await verifying(.purchaseToken, { EvidenceFailure.googlePlay($0).verdict }, ask)
  }

  /// Verifies evidence of a kind, of which the port is told, if there is one.
  fileprivate func verifying<Value, Failure: Error>(
    _ kind: VerifiedKind, _ judgement: (Failure) -> TelemetryVerdict,
    _ verify: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard let telemetry = self else { return try await verify() }
    return try await telemetry.watching(.verification(kind), verify, of: judgement)
  }
}

extension PurchaseEvidence {
  fileprivate var kind: VerifiedKind {
    switch self {
    case .receipt: .receipt
    case .signedTransaction: .signedTransaction
    case .purchaseToken: .purchaseToken
    }
  }
}

/// Verified evidence, with its facts if it has any.
package struct VerifiedEvidence: Sendable {
  /// Apple's statement: the answer of verifyReceipt, or the payload of the transaction; empty for other evidence.
  package var statement: [UInt8] = []
  /// The app; nil if the evidence names none.
  var bundleID: String?
  package let facts: Result<PurchaseFacts, EvidenceFailure>
}

extension VerifiedEvidence {
  init(_ transaction: Verified<Transaction>, renewalInfo: Verified<RenewalInfo>? = nil) {
    self.init(
      statement: transaction.payloadBytes, bundleID: transaction.bundleID,
      facts: Result { () throws(FactsFailure) in
        try PurchaseFacts(transaction, renewalInfo: renewalInfo)
      }.mapError { .facts($0) })
  }

  init(_ answer: VerifiedReceipt, _ extent: ReceiptExtent, posted: String? = nil) {
    self.init(
      statement: answer.rawBody, bundleID: answer.response.bundleID,
      facts: Result { () throws(EvidenceFailure) in
        try PurchaseFacts(answer, extent, posted: posted)
      })
  }
}

/// Evidence of purchases that a client or a store hands over, of which nothing is verified.
public enum PurchaseEvidence: Hashable, Sendable {
  /// An app receipt, or a transaction receipt of iOS 6, in base64.
  case receipt(String)
  /// A signed transaction and, if available, the renewal info of its subscription, each a compact JWS.
  case signedTransaction(String, renewalInfo: String? = nil)
  case purchaseToken(String)

  /// Creates the evidence of an order at Apple, whose form tells a signed transaction from a receipt.
  public init(ofApple text: String) {
    self = ReceiptKind.isSignedData(text) ? .signedTransaction(text) : .receipt(text)
  }

  public var vendor: Vendor {
    if case .purchaseToken = self { .google } else { .apple }
  }
}

extension PurchaseEvidence: CustomStringConvertible, CustomReflectable {
  /// The kind, never the evidence.
  public var description: String {
    switch self {
    case .receipt: "a receipt"
    case .signedTransaction: "a signed transaction"
    case .purchaseToken: "a purchase token"
    }
  }

  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why evidence of purchases was not verified, or has no facts.
@nonexhaustive
public enum EvidenceFailure: Error, Hashable, Sendable {
  /// There is nobody to ask about evidence of this kind.
  case notSupported
  /// A signed transaction, or its renewal info, was refused, or the status of its certificates is unknown.
  case signedData(SignedDataFailure, of: NestedToken = .transaction)
  /// A receipt was refused without asking Apple.
  case receipt(ReceiptFailure)
  /// A receipt was refused, or Apple could not be asked about it.
  case verifyReceipt(VerifyReceiptFailure)
  /// A purchase token was refused, or Google could not be asked about it.
  case googlePlay(GooglePlayFailure)
  case wrongApp
  /// The evidence was verified, but has no facts that can be recorded.
  case facts(FactsFailure)
}
