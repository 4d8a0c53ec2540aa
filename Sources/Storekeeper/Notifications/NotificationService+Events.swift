internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension NotificationService {
  /// The time from the making of a token after which Apple asks for a report that it does not have.
  private static let timeToReport = Duration.days(10)

  /// Returns the message that tells the host of an event; nil if it does not want to hear of it, or if there is none.
  ///
  /// Source: App Store Server API rules, section 5.11.
  func event(
    in verified: Verified<NotificationContent>, key: String
  ) -> OutboxMessage? {
    guard let (kind, subject, deadline) = event(in: verified), events.contains(kind),
      let subject, TransactionIDs.areStorable(subject)
    else { return nil }
    return OutboxMessage(
      kind: kind, originalTransactionID: subject, reference: key, deadline: deadline)
  }

  private func event(
    in verified: Verified<NotificationContent>
  ) -> (kind: OutboxMessage.Kind, subject: String?, deadline: Date?)? {
    let content = verified.payload
    let notification = content.notification
    let subscription = content.transaction?.payload.originalTransactionID
    switch notification.notificationType {
    case .priceIncrease:
      let isAsked = notification.subtype == .pending
      let renewal = content.renewalInfo?.payload.renewalDate
      return (
        .priceIncrease, subscription,
        isAsked ? renewal ?? content.transaction?.payload.expiresDate : nil
      )
    case .offerRedeemed: return (.offerRedeemed, subscription, nil)
    case .rescindConsent:
      return (.consentRescinded, content.appTransaction?.payload.appTransactionID, nil)
    case .externalPurchaseToken:
      let token = notification.externalPurchaseToken
      let id = (token?.externalPurchaseID).map(TransactionIDs.external)
      switch notification.subtype {
      case .created:
        let end = (token?.tokenCreationDate).map { $0 + Self.timeToReport.timeInterval }
        return (.externalPurchaseCreated, id, end)
      case .activeTokenReminder: return (.externalPurchaseReminder, id, nil)
      default: return (.externalPurchaseUnreported, id, nil)
      }
    default:
      let offers = content.renewalInfo?.payload.eligibleWinBackOfferIDs ?? []
      let lapsed = content.renewalInfo?.payload.originalTransactionID
      return offers.isEmpty ? nil : (.winBackEligible, subscription ?? lapsed, nil)
    }
  }
}
