internal import JSONValues
public import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OrderService {
  /// Takes an order: asks the vendor, claims the purchase for the user, and stores the subscription.
  ///
  /// A different purchase of the same user replaces the stored one if it ends later, if the stored one has ended, or
  /// if the vendor says that it replaced it; otherwise the stored one stays and is the answer. The same order may be
  /// repeated. Whether the caller may act for the user is not checked. Source: entitlement rules, section 14.
  ///
  /// - Throws: ``OrderFailure``, an error of the host's accounts, or an error of the store.
  public func order(_ order: SubscriptionOrder) async throws -> UserSubscription {
    guard let vendor = vendor(order.vendor) else { throw OrderFailure.unknownVendor }
    guard StoredText.fits(order.receiptData, .orderReceipt) else { throw OrderFailure.receiptSize }
    do {
      return try await take(order, from: vendor, unlessOvertaken: true).get()
    } catch is OvertakenAnswer {
      // A notification was faster than this answer, so the vendor is asked again.
      return try await take(order, from: vendor, unlessOvertaken: false).get()
    }
  }

  /// Asks the vendor about an order and records what follows.
  private func take(
    _ order: SubscriptionOrder, from vendor: any PurchaseVendor, unlessOvertaken: Bool
  ) async throws -> Result<UserSubscription, OrderFailure> {
    let now = now()
    var report = await vendor.report(on: order.receiptData, for: .order, at: now)
    try Task.checkCancellation()
    if case .incidentalFailure(let failure) = report.answer {
      note(failure, of: order.vendor, in: report)
      return .failure(.vendorUnavailable(failure))
    }
    do {
      report = try await withLineage(report, from: vendor, at: now)
    } catch OrderFailure.vendorUnavailable(let failure) {
      return .failure(.vendorUnavailable(failure))
    }
    return try await settle(order, report, at: now, unlessOvertaken: unlessOvertaken)
  }

  /// Records what follows from a vendor's word about an order; `isShown` tells whether the user has shown the
  /// purchase.
  ///
  /// - Throws: ``OvertakenAnswer`` if a later word about the purchase is stored, which ends it earlier.
  func settle(
    _ order: SubscriptionOrder, _ report: VendorReport, at now: Date,
    unlessOvertaken: Bool = false, isShown: Bool = true
  ) async throws -> Result<UserSubscription, OrderFailure> {
    var options = options
    if !isShown { options.transfer = .never }
    let environments = try await environments(for: order.userID)
    var answer = report.answer
    // The stored history may judge by another charge, which may have another mark.
    for _ in 0..<Self.markAttempts {
      let mark = answer.accountMark
      let markedUser = try await markedUser(of: answer, for: order.userID)
      do {
        return try await OwnIdentifiers.asking(of: order.userID, in: accounts) {
          [options] identifiers in
          let questions = report.questions(
            of: order.userID, besides: markedUser == order.userID ? nil : .orders)
          return try await recording(
            report, asking: questions, at: now, unlessOvertaken: unlessOvertaken
          ) { records, judged in
            guard judged.accountMark == mark else { throw OtherMark(answer: judged) }
            let counted = judged.counted(in: environments, ofEvidenceIn: report.environment)
            return try await records.settle(
              order, counted, environments: environments, identifiers, markedUser: markedUser,
              knowsTokens: accounts.hasAppAccountTokens, options: options, at: now)
          }
        }
      } catch let other as OtherMark {
        answer = other.answer
      }
    }
    throw StorageFailure.conflict
  }

  private static let markAttempts = 3
}

/// The vendor's word as the stored history judges it, whose mark nobody has been asked about.
private struct OtherMark: Error {
  let answer: VendorAnswer
}

extension VendorAnswer {
  /// The text by which the host's app marked the user of a valid purchase.
  fileprivate var accountMark: String? {
    if case .valid(let purchase) = self { purchase.accountMark } else { nil }
  }
}

extension UnitOfWork {
  /// Decides on an order and does what follows from it.
  ///
  /// A refusal is returned and not thrown, because throwing it would undo what it removed.
  fileprivate func settle(
    _ order: SubscriptionOrder, _ answer: VendorAnswer, environments: CountedEnvironments,
    _ identifiers: OwnIdentifiers, markedUser: AccountID?, knowsTokens: Bool,
    options: OrderOptions, at now: Date
  ) async throws -> Result<UserSubscription, OrderFailure> {
    // First, because levels are not replaced while a unit of work has asked for a subscription.
    let subscription = try await orderedSubscriptions.find(order.userID)
    let levels = try await levels.all()
    // The user's own mark is stronger than what others brought to another capability.
    var situation = try await situation(
      of: answer, identifiers,
      besides: markedUser == order.userID ? nil : PurchaseOwners(besides: .orders, in: self))
    situation.markedUser = markedUser
    situation.subscription = subscription
    let mover = PurchaseMover(
      capability: .orders, identifiers: identifiers, knowsTokens: knowsTokens, now: now, unit: self)
    situation.mayMove = try await mayMove(
      answer, situation, for: order.userID, by: options.transfer, mover)
    switch OrderDecision(
      on: order, answer, levels: levels, environments: environments, situation, at: now)
    {
    case .refuse(let reason, let removesSubscription):
      if removesSubscription { _ = try await orderedSubscriptions.remove(order.userID) }
      return .failure(.refused(reason))
    case .unavailable(let failure): return .failure(.vendorUnavailable(failure))
    case .accept(let row):
      if situation.mayMove { try await take(answer, mover) }
      guard try await claim(answer, for: order.userID, situation) else {
        return .failure(.refused(.alreadyUsed))
      }
      if situation.subscription != nil {
        try await orderedSubscriptions.save(row)
      } else if try await !orderedSubscriptions.add(row) {
        // Another order of the user was stored meanwhile, and counts in the decision.
        throw StorageFailure.conflict
      }
      if answer.needsAcknowledgement, subscription?.isOf(answer) != true {
        try await requestAcknowledgement(of: answer, order.receiptData, at: now)
      }
      return levels.answer(for: row)
    case .keep(let stored):
      guard try await claim(answer, for: order.userID, situation) else {
        return .failure(.refused(.alreadyUsed))
      }
      guard answer.needsAcknowledgement else { return levels.answer(for: stored) }
      if options.acknowledgement == .claimed, situation.owner != order.userID {
        try await requestAcknowledgement(of: answer, order.receiptData, at: now)
      }
      return levels.answer(for: stored).map { subscription in
        var subscription = subscription
        subscription.isOrderUnacknowledged = options.acknowledgement == .inUse
        return subscription
      }
    }
  }
}

extension UnitOfWork {
  /// Returns whether the purchase in an answer is another user's and may move.
  fileprivate func mayMove(
    _ answer: VendorAnswer, _ situation: OrderSituation, for userID: AccountID,
    by options: TransferOptions, _ mover: PurchaseMover
  ) async throws -> Bool {
    guard case .valid(let purchase) = answer,
      situation.previousOwner(besides: userID) != nil
    else { return false }
    let ownMark = situation.markedUser == userID ? purchase.accountMark : nil
    return try await mover.mayMove(
      purchase.purchaseKey, continuing: purchase.linkedPurchaseKeys.map(\.identifier), by: options,
      ownTokens: Set([ownMark.flatMap { UUID(uuidString: $0) }].compactMap(\.self)),
      // A purchase that is valid gives something.
      isLapsed: { false })
  }

  /// Gives the purchase in an answer to the user that ordered it.
  fileprivate func take(
    _ answer: VendorAnswer, _ mover: PurchaseMover
  ) async throws {
    guard case .valid(let purchase) = answer else { return }
    let owner = try await mover.takeClaim(purchase.purchaseKey)
    try await mover.move(purchase.purchaseKey, from: [owner].compactMap(\.self))
  }

  /// The owners of the purchase in an answer, and of those that it continues, without the user's own subscription and
  /// mark; one that is the same account as the user is the user.
  ///
  /// `others` are asked for purchases that nobody has ordered; nil to ask orders only.
  ///
  /// - Throws: ``UnknownIdentifiers``.
  func situation(
    of answer: VendorAnswer, _ identifiers: OwnIdentifiers, besides others: PurchaseOwners? = nil
  ) async throws -> OrderSituation {
    let keys = answer.claimedKeys
    guard !keys.isEmpty else { return OrderSituation() }
    let owners = try await subscriptionClaims.owners(of: keys)
    var situation = OrderSituation(
      owner: try identifiers.user(for: owners[0]),
      linkedOwner: try identifiers.user(for: owners.dropFirst().lazy.compactMap(\.self).first))
    // What the user has ordered decides also for what continues it.
    guard var others, (situation.owner ?? situation.linkedOwner) != identifiers.userID else {
      return situation
    }
    let unclaimed = zip(keys, owners).prefix { $1 == nil }.map(\.0)
    try await others.find(unclaimed)
    if case .foreign(let owner) = try others.relation(of: unclaimed, to: identifiers) {
      situation.otherOwner = owner
    }
    return situation
  }

  /// Has a purchase of Google acknowledged, with its token beside it, as no row may hold that.
  fileprivate func requestAcknowledgement(
    of answer: VendorAnswer, _ token: String, at now: Date
  ) async throws {
    guard case .valid(let purchase) = answer, purchase.purchaseKey.vendor == .google,
      let id = purchase.purchaseKey.originalTransactionID, TransactionIDs.areStorable(id)
    else { return }
    if StoredText.fits(token, .receipt) {
      try await purchases.put(
        StoredReceipt(
          originalTransactionID: id, environment: purchase.environment, receipt: token,
          asOf: now.stamp),
        now: now)
    }
    try await requestAcknowledgement(of: purchase.purchaseKey, at: now)
  }

  /// Claims the purchase in an answer, and those that it continues, whose claims stay their owner's; returns
  /// false if another user claimed it meanwhile.
  func claim(
    _ answer: VendorAnswer, for userID: AccountID, _ situation: OrderSituation
  ) async throws -> Bool {
    guard case .valid(let purchase) = answer else { return false }
    // A claim that was found is locked, and need not be made again; one that has moved is made.
    if situation.owner != userID, !situation.mayMove || situation.owner == nil {
      let owner = try await subscriptionClaims.claim(purchase.purchaseKey, for: userID)
      // Somebody else was faster, perhaps under another identifier of the account, and counts in the decision.
      guard owner == userID else { throw StorageFailure.duplicate(.other) }
    }
    guard !purchase.linkedPurchaseKeys.isEmpty else { return true }
    let owners = try await subscriptionClaims.owners(of: purchase.linkedPurchaseKeys)
    for (key, owner) in zip(purchase.linkedPurchaseKeys, owners) where owner == nil {
      // Somebody else was faster, and counts in the decision.
      guard try await subscriptionClaims.claim(key, for: userID) == userID else {
        throw StorageFailure.duplicate(.other)
      }
    }
    return true
  }
}

extension OrderSituation {
  /// The user that has the purchase, or the nearest that it continues, if it is another one.
  fileprivate func previousOwner(besides userID: AccountID) -> AccountID? {
    let previous = owner ?? linkedOwner ?? otherOwner
    return previous == userID ? nil : previous
  }
}

extension VendorAnswer {
  /// The purchase whose owner counts, and those that it continues.
  var claimedKeys: [PurchaseKey] {
    switch self {
    case .valid(let purchase): [purchase.purchaseKey] + purchase.linkedPurchaseKeys
    case .explicitFailure(let failure):
      failure.isReplaced ? [failure.purchaseKey].compactMap(\.self) : []
    default: []
    }
  }

  /// Whether the vendor refunds the purchase unless it is acknowledged.
  fileprivate var needsAcknowledgement: Bool {
    if case .valid(let purchase) = self { purchase.needsAcknowledgement } else { false }
  }
}

extension OrderedSubscription {
  fileprivate func isOf(_ answer: VendorAnswer) -> Bool {
    if case .valid(let purchase) = answer { purchaseKey == purchase.purchaseKey } else { false }
  }
}

extension SubscriptionLevels {
  /// The subscription of a stored row; nil if somebody removed its level from the table.
  func subscription(of row: OrderedSubscription) -> UserSubscription? {
    level(named: row.levelName).map {
      UserSubscription(
        level: $0, vendor: row.vendor, environment: row.environment, expiration: row.expiration)
    }
  }

  fileprivate func answer(
    for row: OrderedSubscription
  ) -> Result<UserSubscription, OrderFailure> {
    subscription(of: row).map { .success($0) } ?? .failure(.refused(.unknownProduct))
  }
}

/// A vendor's word that is older than what is stored.
struct OvertakenAnswer: Error {}
