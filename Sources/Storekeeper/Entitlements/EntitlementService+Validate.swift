public import EntitlementPolicy
internal import JSONValues
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension EntitlementService {
  /// Verifies evidence of purchases, records it, and associates the purchases with a user.
  ///
  /// - With evidence and a user, every purchase in the evidence becomes the user's, or none does.
  /// - With a user only, the present state of the user's purchases is asked for, in the app and in those whose
  ///   purchases count for it; if that fails, what is stored answers, and the answer is stale.
  /// - With evidence only, it is recorded, and the answer tells what it holds.
  ///
  /// Google is asked about each purchase token, and its answer counts. One that waits for an acknowledgement leaves a
  /// message in the outbox (`google_acknowledgement`) with the user's claim, for an ``AcknowledgementDelivery``.
  ///
  /// Whether the caller may act for the user is not checked. Source: entitlement rules, section 7.
  ///
  /// - Throws: ``EntitlementFailure``, an error of the host's accounts, or an error of the store.
  @discardableResult
  public func validate(
    _ evidence: UploadedEvidence = UploadedEvidence(), for userID: AccountID?, in bundleID: String
  ) async throws -> ValidationAnswer {
    let app = try await app(bundleID, for: userID)
    guard !evidence.isEmpty else {
      guard let userID else { throw EntitlementFailure.evidenceMissing }
      return ValidationAnswer(
        userID: userID, isAssociated: true,
        entitlements: try await refresh(userID, in: app).entitlements)
    }
    let facts: [PurchaseFacts]
    do {
      facts = try await self.facts(of: evidence, in: app)
    } catch let outage as EvidenceOutage {
      if let userID { try await note(outage, of: userID, in: app) }
      throw EntitlementFailure.appStoreUnavailable
    }
    do {
      return try await record(facts, for: userID, in: app)
    } catch StorageFailure.invalidValue(let field) where field.origin == .evidence {
      // A text that Apple signed, but that no row can hold.
      if evidence.receipt != nil { throw EntitlementFailure.receiptInvalid }
      throw evidence.signedTransactions.isEmpty
        ? EntitlementFailure.purchaseTokenInvalid : EntitlementFailure.transactionInvalid
    }
  }

  /// Returns the work that associates the purchases of facts with an account in a unit of work, as evidence of them
  /// would.
  ///
  /// A claim that is refused throws ``EntitlementFailure`` there, so that nothing is written, no conflict either. Google
  /// is asked to acknowledge the purchases that nobody had in the same unit of work.
  ///
  /// - Throws: ``EntitlementFailure``, or an error of the host's accounts.
  func association(
    of facts: PurchaseFacts, with account: Account, in bundleID: String
  ) async throws -> AssociatingWork {
    let app = try await app(bundleID, for: account.id)
    guard app.options.environments.count(facts.environment, for: nil) else {
      throw EntitlementFailure.environmentNotAllowed
    }
    let claim = AssociationClaim(
      identifiers: OwnIdentifiers(account), app: app, knowsTokens: accounts.hasAppAccountTokens,
      ownTokens: try await ownTokens(in: [facts], of: account.id),
      ownMarks: try await ownMarks(in: [facts], of: account.id), isShown: false, now: now())
    return { recorder, unit in
      let answer = try await settle(claim, to: [facts], in: app, recorder, unit)
      guard answer != nil else { throw EntitlementFailure.linkedToOtherUser }
    }
  }

  private func record(
    _ facts: [PurchaseFacts], for userID: AccountID?, in app: EntitledApp
  ) async throws -> ValidationAnswer {
    let now = now()
    guard let userID else { return try await record(facts, in: app, at: now) }
    let ownTokens = try await ownTokens(in: facts, of: userID)
    let ownMarks = try await ownMarks(in: facts, of: userID)
    let answer = try await OwnIdentifiers.asking(of: userID, in: accounts) { identifiers in
      let claim = AssociationClaim(
        identifiers: identifiers, app: app, knowsTokens: accounts.hasAppAccountTokens,
        ownTokens: ownTokens, ownMarks: ownMarks, isShown: true, now: now)
      // Returned, because throwing it there would roll back the record of the claim.
      return try await recording(at: now) { recorder, unit in
        try await settle(claim, to: facts, in: app, recorder, unit)
      }
    }
    guard let answer else { throw EntitlementFailure.linkedToOtherUser }
    return answer
  }

  /// Records evidence and a user's claim to it; returns nil if a purchase in it belongs to another user.
  private func settle(
    _ claim: AssociationClaim, to facts: [PurchaseFacts], in app: EntitledApp,
    _ recorder: FactsRecorder, _ unit: UnitOfWork
  ) async throws -> ValidationAnswer? {
    let now = claim.now
    let prepared = try await recorder.prepare(facts, in: unit)
    guard let (holder, associations) = try await claim.settle(prepared, in: unit) else {
      return nil
    }
    _ = try await recorder.write(
      FactsRecorder.Prepared(facts: prepared.facts, associations: associations), in: unit)
    // What is not shown is acknowledged with its association alone, so once.
    let settled = claim.isShown ? [] : Set(prepared.associations.map(\.key))
    for facts in facts where facts.needsAcknowledgement && facts.entitles(in: app) {
      for key in facts.keys where !settled.contains(key) {
        try await unit.requestAcknowledgement(of: key, at: now)
      }
    }
    let rows = try await note(
      PresentState(facts), isUpload: true, of: holder, in: app, asked: [app], at: now, unit)
    return ValidationAnswer(
      userID: claim.identifiers.userID,
      isAssociated: rows.associations.contains { $0.isOf(app) },
      entitlements: rows.entitlements(in: app, among: apps, at: now))
  }

  /// Records evidence that is associated with nobody.
  private func record(
    _ facts: [PurchaseFacts], in app: EntitledApp, at now: Date
  ) async throws -> ValidationAnswer {
    try await recording(at: now) { recorder, unit in
      try await recorder.record(facts, in: unit)
    }
    let purchases = AppPurchases(
      bundleID: app.bundleID,
      transactions: PurchaseHistory.newestCopies(of: facts.flatMap(\.purchases)),
      renewals: facts.flatMap(\.renewals), catalog: app.catalog, durations: app.options.durations)
    let holdings = Holdings(
      purchases: purchases,
      validations: [AppValidation(bundleID: app.bundleID, validatedDate: now)])
    return ValidationAnswer(
      userID: nil, isAssociated: false,
      entitlements: Entitlements(of: holdings, catalog: app.catalog, options: app.options, at: now))
  }

  /// Notes that a source could not be asked about an upload, for the user's purchases that no other source can
  /// speak about.
  ///
  /// Source: entitlement rules, sections 4.1 and 9.
  private func note(
    _ outage: EvidenceOutage, of userID: AccountID, in app: EntitledApp
  ) async throws {
    let rows = try await store.read { try await $0.holdings(of: userID, in: [app.bundleID]) }
    var present = PresentState()
    for question in rows.questions(about: app) where outage.concerns(question.purchase, sources) {
      present.fail(question.purchase, isOutage: true)
    }
    guard !present.failed.isEmpty else { return }
    _ = try await record(present, of: userID, in: app, asked: [app])
  }

  /// Returns the app account tokens in facts that the host made for a user.
  ///
  /// - Throws: ``EntitlementFailure/accountTokenMismatch`` if the host made one for another user, or an error of the
  ///   host's accounts.
  private func ownTokens(
    in facts: [PurchaseFacts], of userID: AccountID
  ) async throws -> Set<UUID> {
    guard accounts.hasAppAccountTokens else { return [] }
    var own: Set<UUID> = []
    for token in Set(facts.flatMap(\.purchases).compactMap(\.appAccountToken)) {
      guard let owner = try await accounts.account(appAccountToken: token) else { continue }
      guard owner.isKnown(as: userID) else {
        throw EntitlementFailure.accountTokenMismatch
      }
      own.insert(token)
    }
    return own
  }

  /// Returns the marks of Google's purchases in facts that the host's app set for a user.
  ///
  /// - Throws: As ``ownTokens(in:of:)``.
  private func ownMarks(
    in facts: [PurchaseFacts], of userID: AccountID
  ) async throws -> Set<String> {
    var own: Set<String> = []
    for mark in Set(facts.compactMap(\.inheritedMark)) {
      guard let owner = try await accounts.account(markedBy: mark) else { continue }
      guard owner.isKnown(as: userID) else {
        throw EntitlementFailure.accountTokenMismatch
      }
      own.insert(mark)
    }
    return own
  }
}

/// Work of an account that claims purchases, in a unit of work that records their facts.
typealias AssociatingWork =
  nonisolated(nonsending) @Sendable (FactsRecorder, UnitOfWork) async throws -> Void

extension PurchaseFacts {
  /// Whether there is a product that entitles, so that the upload is what the purchase was made for.
  ///
  /// Google names no type of a one-time product: one that is in no list may be a pack of credits.
  fileprivate func entitles(in app: EntitledApp) -> Bool {
    purchases.contains { $0.isConsumable(in: app.catalog) == false }
  }
}

/// The answer to a request to validate purchases.
///
/// Source: entitlement rules, section 10.
public struct ValidationAnswer: Sendable {
  /// The user; nil for evidence without one.
  public let userID: AccountID?
  /// Whether purchases that count in the app are associated with the user.
  public let isAssociated: Bool
  /// The purchases and the subscription of the user, or of the evidence.
  public let entitlements: Entitlements
}

extension PurchaseAssociation {
  fileprivate func isOf(_ app: EntitledApp) -> Bool { bundleID.isSameText(as: app.bundleID) }
}

/// The evidence of purchases that a client uploads, of which nothing is verified.
///
/// Source: entitlement rules, section 7.
public struct UploadedEvidence: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The app receipt in base64.
  public var receipt: String?
  /// Signed transactions, each a compact JWS.
  public var signedTransactions: [String]
  /// Purchase tokens of Google Play, of subscriptions or of one-time products.
  public var purchaseTokens: [String]

  /// Creates evidence.
  public init(
    receipt: String? = nil, signedTransactions: [String] = [], purchaseTokens: [String] = []
  ) {
    self.receipt = receipt
    self.signedTransactions = signedTransactions
    self.purchaseTokens = purchaseTokens
  }

  public var isEmpty: Bool {
    receipt == nil && signedTransactions.isEmpty && purchaseTokens.isEmpty
  }

  /// The numbers of signed transactions and purchase tokens, never the evidence itself.
  public var description: String {
    """
    \(receipt == nil ? "no receipt" : "a receipt"), \(signedTransactions.count) signed transactions, \
    \(purchaseTokens.count) purchase tokens
    """
  }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
