internal import CreditPolicy
internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A verified notification, as far as credits need it.
///
/// Source: credit rules, section 6.
struct CreditNews: Sendable {
  /// The record of the notification, whose outcome is open.
  let record: CreditNotification
  let productID: String?
  /// Whether that is a consumable, which concerns credits, mapped or not.
  let isConsumable: Bool
  /// The news and its effect; nil if the notification has no effect on credits.
  let notice: (news: CreditNotice, effect: CreditNotice.Effect)?
}

extension CreditService {
  /// Returns the outcome of notifications of a type in an environment, if they have no effect on
  /// credits; nil if they have one.
  func outcome(
    ofIgnored type: NotificationType?, in environment: AppStoreEnvironment
  ) -> NoticeOutcome? {
    guard options.environments.countForSomebody(environment) else { return .ignoredEnvironment }
    let effect = type.flatMap {
      CreditNotice.effect(of: $0, clawbackTypes: options.clawbackTypes)
    }
    return effect == nil ? .ignoredType : nil
  }

  /// Reads a verified notification, which is recorded under the given identifier.
  ///
  /// - Throws: ``NotificationFailure/payloadInvalid`` if it has an effect, but no usable transaction.
  func news(
    from verified: Verified<NotificationContent>, uuid: String
  ) throws(NotificationFailure) -> CreditNews {
    let now = now()
    let notification = verified.payload.notification
    let transaction = verified.payload.transaction
    let type = notification.notificationType
    let isConsumable = transaction?.payload.type == .consumable
    let signedDate = verified.signedDate ?? now
    var record = CreditNotification(
      uuid: uuid, type: String(bounding: type?.rawValue ?? ""),
      subtype: notification.subtype.map { String(bounding: $0.rawValue) },
      environment: verified.environment,
      transactionID: (transaction?.payload.transactionID).flatMap {
        TransactionIDs.areDigits($0) ? $0 : nil
      },
      signedDate: signedDate, outcome: .ignoredType, processedDate: now)
    let ignored = outcome(ofIgnored: type, in: verified.environment)
    guard ignored == nil, let type,
      let effect = CreditNotice.effect(of: type, clawbackTypes: options.clawbackTypes)
    else {
      record.outcome = ignored ?? .ignoredType
      return CreditNews(
        record: record, productID: transaction?.payload.productID, isConsumable: isConsumable,
        notice: nil)
    }
    guard let transaction, let purchase = CreditPurchase(transaction, at: signedDate) else {
      throw .payloadInvalid
    }
    let news = CreditNotice(
      type: type, notificationUUID: uuid, signedDate: signedDate.stamp, purchase: purchase,
      revocationReason: transaction.payload.revocationReason,
      revocationPercentage: transaction.payload.revocationPercentage)
    return CreditNews(
      record: record, productID: purchase.productID, isConsumable: isConsumable,
      notice: (news, effect))
  }

  /// Applies news in a unit of work, once; returns false, and has written nothing, if they do not concern credits.
  ///
  /// It locks in the order notification, transaction, account. `isConcern` tells whether the news concerns credits
  /// even if its transaction is not stored.
  ///
  /// - Throws: `StorageFailure.duplicate` if another unit of work took the same news, so that this one has to begin
  ///   again.
  func apply(
    _ news: CreditNews, isConcern: Bool, in records: UnitOfWork
  ) async throws -> Bool {
    guard try await records.creditNotifications.find(uuid: news.record.uuid) == nil else {
      return true
    }
    var record = news.record
    if let (notice, effect) = news.notice {
      let stored = try await records.creditTransactions.find(
        transactionID: notice.purchase.transactionID, environment: notice.purchase.environment)
      guard isConcern || stored != nil else { return false }
      record.outcome = try await carryOut(notice, effect, about: stored, in: records)
    } else {
      guard isConcern else { return false }
    }
    guard try await records.creditNotifications.record(record) else {
      throw StorageFailure.duplicate(.other)
    }
    return true
  }

  /// Decides about news, and writes the transaction and the booking that follow from them.
  @discardableResult
  func carryOut(
    _ notice: CreditNotice, _ effect: CreditNotice.Effect, about stored: CreditTransaction?,
    in records: UnitOfWork
  ) async throws -> NoticeOutcome {
    let proposal = NoticeProposal(
      notice: notice, effect: effect, stored: stored, partialRefunds: options.partialRefunds)
    let now = now()
    let ledger = try records.creditLedger
    var balance = 0
    if proposal.needsBalance, let owner = stored?.userID {
      balance = try await ledger.balance(of: owner)
    }
    var shares: [LedgerBooking] = []
    if proposal.needsRefund {
      while let share = try await ledger.entry(
        eventID: proposal.refundEventID(share: shares.count + 1),
        environment: notice.purchase.environment)
      { shares.append(share.booking) }
      guard !shares.isEmpty else {
        throw StorageFailure.database(code: 0, detail: "a refund without its entry")
      }
    }
    let decision = proposal.decision(
      balance: balance, refund: shares.first, further: Array(shares.dropFirst()))
    if let row = decision.transaction {
      if row.id == nil {
        guard try await records.creditTransactions.insert(row, now: now) != nil else {
          throw StorageFailure.duplicate(.creditTransaction)
        }
      } else {
        try await records.creditTransactions.update(row, now: now)
      }
    }
    for booking in decision.bookings {
      guard case .booked = try await ledger.book(booking, now: now) else {
        // Restored credits that don't fit in 64 bits; nothing is kept, so that Apple sends it again.
        throw NotificationFailure.payloadInvalid
      }
    }
    return decision.outcome
  }
}
