public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A question that a unit of work will ask its records, told in advance.
///
/// Each is answered, and locks rows, as the call of the repository that it names.
public enum UnitQuestion: Hashable, Sendable {
  /// `PurchaseRepository.originalTransactionIDs(ofTransactions:environment:)`.
  case originalTransactionIDs(ofTransactions: [String], AppStoreEnvironment)
  /// `PurchaseRepository.transactions(of:environment:)`; `again` to read also what was read before, because another unit
  /// of work may have written meanwhile.
  case transactions(of: [String], AppStoreEnvironment, again: Bool = false)
  /// What `PurchaseRepository.record(transactions:environment:now:)` reads to record these.
  case recording([PurchaseRecord], AppStoreEnvironment)
  /// `PurchaseRepository.renewals(of:environment:)`.
  case renewals(of: [String], AppStoreEnvironment)
  /// What `PurchaseRepository.replace(renewals:of:environment:asOf:now:)` reads to replace the sets of these; the unit of
  /// work must replace them afterwards.
  case replacingRenewals(of: [String], AppStoreEnvironment, asOf: Date)
  /// `SubscriptionRepository.find(_:)`.
  case subscriptions([String])
  /// `SubscriptionRepository.find(_:inserting:asOf:now:)`, which inserts at once what is missing.
  case subscriptionsInserting([String], [Subscription], asOf: Date, now: Date)
  /// `MembershipRepository.find(account:appleSubscriptionIDs:)`.
  case memberships(account: Account?, appleSubscriptionIDs: [String])
  /// `AssociationRepository.find(_:environment:)`; `again` to read also what was read before, because another unit of
  /// work may have written meanwhile.
  case associations([String], AppStoreEnvironment, again: Bool = false)
  /// `ValidationRepository.unanswered(_:environment:)`.
  case unanswered([String], AppStoreEnvironment)
  /// `NotificationRepository.isSeen(notificationKey:)`.
  case notification(key: String)
  /// `OrderedSubscriptionRepository.find(_:)`.
  case orderedSubscription(AccountID)
  /// `LevelRepository.all()`.
  case levels
  /// `SubscriptionClaimRepository.owners(of:)`.
  case claims([PurchaseKey])
}

extension UnitQuestion {
  /// The question without texts that no row can have, as the call of the repository asks it; nil if none is left.
  var storable: UnitQuestion? {
    switch self {
    case .originalTransactionIDs(let ids, let environment):
      .originalTransactionIDs(ofTransactions: fitting(.transactionID, ids), environment)
    case .transactions(let ids, let environment, let again):
      .transactions(of: fitting(.originalTransactionID, ids), environment, again: again)
    case .renewals(let ids, let environment):
      .renewals(of: fitting(.originalTransactionID, ids), environment)
    case .replacingRenewals(let ids, let environment, let asOf):
      .replacingRenewals(
        of: fitting(.originalTransactionID, ids), environment, asOf: asOf)
    case .recording(let transactions, let environment):
      .recording((try? transactions.checkTexts()) == nil ? [] : transactions, environment)
    case .subscriptions(let ids): .subscriptions(fitting(.originalTransactionID, ids))
    case .subscriptionsInserting(let ids, let new, let asOf, let now):
      .subscriptionsInserting(
        fitting(.originalTransactionID, ids), (try? new.checkTexts()) == nil ? [] : new,
        asOf: asOf, now: now)
    case .memberships(let account, let ids):
      .memberships(account: account, appleSubscriptionIDs: fitting(.originalTransactionID, ids))
    case .associations(let ids, let environment, let again):
      .associations(fitting(.originalTransactionID, ids), environment, again: again)
    case .unanswered(let ids, let environment):
      .unanswered(fitting(.unansweredID, ids), environment)
    case .notification(let key): fits(.key, key) ? self : nil
    case .orderedSubscription(let userID): fits(.userID, userID.rawValue) ? self : nil
    case .levels: self
    case .claims(let purchases): .claims(purchases.filter(\.isStorable))
    }
  }
}
