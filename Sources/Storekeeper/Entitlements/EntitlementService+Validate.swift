public import EntitlementPolicy
internal import JSONValues
internal import PurchaseStorage
public import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EntitlementService {
  /// Verifies evidence of purchases, records it, and associates the purchases with a user.
  ///
  /// - With evidence and a user, every purchase in the evidence becomes the user's, or none does.
  /// - With a user only, the present state of the user's purchases is asked for; if that fails, what is
  ///   stored answers, and the answer is stale.
  /// - With evidence only, it is recorded, and the answer tells what it holds.
  ///
  /// Whether the caller may act for the user is not checked.
  ///
  /// Source: entitlement rules, section 7.
  ///
  /// - Parameters:
  ///   - evidence: The evidence, or nothing.
  ///   - userID: The user, if there is one.
  ///   - bundleID: The app.
  /// - Returns: The state of the user, or of the evidence.
  /// - Throws: ``EntitlementFailure``, an error of the host's accounts, or an error of the store.
  @discardableResult
  public func validate(
    _ evidence: UploadedEvidence = UploadedEvidence(), for userID: AccountID?, in bundleID: String
  ) async throws -> ValidationAnswer {
    let app = try app(bundleID)
    guard !evidence.isEmpty else {
      guard let userID else { throw EntitlementFailure.evidenceMissing }
      return ValidationAnswer(
        userID: userID, isAssociated: true,
        entitlements: try await refresh(userID, in: app).entitlements)
    }
    let facts: [PurchaseFacts]
    do {
      facts = try await self.facts(of: evidence, in: app)
    } catch EntitlementFailure.appStoreUnavailable {
      if let userID { try await noteOutage(of: userID, in: app) }
      throw EntitlementFailure.appStoreUnavailable
    }
    do {
      return try await record(facts, for: userID, in: app)
    } catch StorageFailure.invalidValue {
      // A text that Apple signed, but that no row can hold.
      if evidence.receipt != nil { throw EntitlementFailure.receiptInvalid }
      throw evidence.signedTransactions.isEmpty
        ? EntitlementFailure.purchaseTokenInvalid : EntitlementFailure.transactionInvalid
    }
  }

  private func record(
    _ facts: [PurchaseFacts], for userID: AccountID?, in app: EntitledApp
  ) async throws -> ValidationAnswer {
    let now = now()
    guard let userID else { return try await record(facts, in: app, at: now) }
    let claim = AssociationClaim(
      userID: userID, bundleID: app.bundleID,
      ownTokens: try await ownTokens(in: facts, of: userID),
      ownMarks: try await ownMarks(in: facts, of: userID), now: now)
    let answer = try await recording(
      { keeper, records -> ValidationAnswer? in
        let entitlements = records.entitlements
        let prepared = try await keeper.prepare(facts, in: entitlements)
        // Returned, because throwing it here would roll back the record of the claim.
        guard try await claim.settle(prepared, in: entitlements.associations) else { return nil }
        try await keeper.keep(prepared, in: records)
        let (rows, answer) = try await succeed(userID, in: app, at: now, entitlements)
        return ValidationAnswer(
          userID: userID, isAssociated: rows.associations.contains { $0.isOf(app) },
          entitlements: answer)
      }, at: now)
    guard let answer else { throw EntitlementFailure.linkedToOtherUser }
    return answer
  }

  /// Records evidence that is associated with nobody.
  private func record(
    _ facts: [PurchaseFacts], in app: EntitledApp, at now: Date
  ) async throws -> ValidationAnswer {
    try await recording(
      { keeper, records in
        try await keeper.keep(
          try await keeper.prepare(facts, in: records.entitlements), in: records)
      }, at: now)
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

  /// Notes that the App Store could not be asked about an upload, for a user with purchases.
  ///
  /// Source: entitlement rules, section 4.1.
  private func noteOutage(of userID: AccountID, in app: EntitledApp) async throws {
    let hasPurchases = try await store.read { records in
      try await !records.associations.associations(of: userID, in: [app.bundleID]).isEmpty
    }
    guard hasPurchases else { return }
    _ = try await record(PresentState(failure: .unreachable), of: userID, in: app)
  }

  /// Returns the app account tokens in facts that the host made for a user.
  ///
  /// - Throws: ``EntitlementFailure/accountTokenMismatch`` if the host made one for another user, or an
  ///   error of the host's accounts.
  private func ownTokens(
    in facts: [PurchaseFacts], of userID: AccountID
  ) async throws -> Set<UUID> {
    guard let accounts, accounts.hasAppAccountTokens else { return [] }
    var own: Set<UUID> = []
    for token in Set(facts.flatMap(\.purchases).compactMap(\.appAccountToken)) {
      guard let owner = try await accounts.account(appAccountToken: token) else { continue }
      guard owner.id == userID || owner.primaryID == userID else {
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
    guard let accounts else { return [] }
    var own: Set<String> = []
    for mark in Set(facts.compactMap(\.accountMark)) {
      guard let owner = try await accounts.account(markedBy: mark) else { continue }
      guard owner.id == userID || owner.primaryID == userID else {
        throw EntitlementFailure.accountTokenMismatch
      }
      own.insert(mark)
    }
    return own
  }
}

/// The answer to a request to validate purchases.
///
/// Source: entitlement rules, section 10.
public struct ValidationAnswer: Sendable {
  /// The user; nil for evidence without one.
  public let userID: AccountID?
  /// Whether purchases of the app are associated with the user.
  public let isAssociated: Bool
  /// The purchases and the subscription of the user, or of the evidence.
  public let entitlements: Entitlements
}

extension PurchaseAssociation {
  fileprivate func isOf(_ app: EntitledApp) -> Bool { bundleID.isSameText(as: app.bundleID) }
}
