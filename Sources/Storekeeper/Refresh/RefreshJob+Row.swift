internal import JSONValues
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RefreshJob {
  /// Refreshes one row and ends its lease, unless all sources that might answer for it are down.
  ///
  /// A write after the lease has expired is harmless. A failure to end the lease does not change
  /// the result of the row, because the lease expires anyway.
  func refresh(_ lease: RefreshLease, in round: SourceRound) async -> RefreshResult {
    let refreshed: Subscription
    do {
      refreshed = try await subscriptions.refresh(
        lease.originalTransactionID, because: .poll, in: round)
    } catch is SourcesNotAsked {
      return .withheld(lease)
    } catch is CancellationError {
      return await giveBack(lease)
    } catch let failure as SubscriptionFailure {
      return await fail(lease, because: failure.shortCode, after: failure)
    } catch {
      return await fail(lease, because: "storage", after: nil)
    }
    var nextTry = subscriptions.now() + configuration.rest.timeInterval
    if lease.untoldEnd != nil, await isUntold(refreshed) {
      nextTry = nextUntoldTry(after: refreshed.expiresDate)
    }
    await finish(lease, failures: 0, nextTry: nextTry, error: nil)
    return .succeeded
  }

  /// Returns whether nobody has told yet whether a subscription renews; a row that was told of needs no hold.
  private func isUntold(_ subscription: Subscription) async -> Bool {
    // If the store can't tell, the row is asked about again after the usual rest.
    let renewals = try? await subscriptions.store.read { records in
      try await records.purchases.renewals(
        of: [subscription.originalTransactionID], environment: subscription.environment)
    }
    return renewals?.isEmpty ?? false
  }

  /// Returns the next try of a subscription of which nobody has told whether it renews, after it was asked about:
  /// once before the end and once after.
  ///
  /// Source: linking rules, sections 4.7 and 7.
  private func nextUntoldTry(after end: Date) -> Date {
    let now = subscriptions.now()
    // Ten minutes after the end it is known whether the store charged for the next period.
    guard now >= end else { return max(now + configuration.rest.timeInterval, end + 600) }
    // When it is due no longer. A new period, or an entry about the renewal, ends the hold.
    return end + Double(subscriptions.options.autoRenewTolerance.wholeDays + 1) * 86_400
  }

  private func fail(
    _ lease: RefreshLease, because code: String, after failure: SubscriptionFailure?
  ) async -> RefreshResult {
    subscriptions.report(.refreshFailed(code))
    let failures = lease.failures + 1
    var nextTry = subscriptions.now() + pause(after: failure, failures: failures).timeInterval
    // Where there is nobody to ask, asking again is no use.
    if let end = lease.untoldEnd, failure?.hasNobodyToAsk == true {
      nextTry = nextUntoldTry(after: end)
    }
    await finish(lease, failures: failures, nextTry: nextTry, error: code)
    return .failed
  }

  /// Returns the pause after a failure; the longest one for an account that was deleted
  /// at Apple (status 21010).
  private func pause(after failure: SubscriptionFailure?, failures: Int) -> Duration {
    if case .verification(.refused(.accountNotFound, _)) = failure {
      return BackOff.refresh.pause(after: .max, chance: chance())
    }
    return BackOff.refresh.pause(after: failures, chance: chance())
  }

  private func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) async {
    await writing { records in
      _ = try await records.refreshes.finish(
        lease, failures: failures, nextTry: nextTry, error: error)
    }
  }

  func giveBack(_ lease: RefreshLease) async -> RefreshResult {
    await writing { records in try await records.refreshes.giveBack(lease) }
    return .givenBack
  }

  /// Writes although the task may have been cancelled; a failure is only reported.
  private func writing(
    _ body: @escaping UnitOfWorkBody<Void>
  ) async {
    do {
      try await subscriptions.store.writeDespiteCancellation(body)
    } catch {
      subscriptions.report(.refreshFailed("storage"))
    }
  }
}

extension SubscriptionFailure {
  /// Whether no source can answer for the subscription.
  fileprivate var hasNobodyToAsk: Bool {
    switch self {
    case .receiptNotFound, .receiptsNotSupported: true
    default: false
    }
  }

  /// The code that is stored with the row; it never contains a receipt.
  var shortCode: String {
    switch self {
    case .verification(let failure): failure.name
    case .receiptNotFound: "receiptMissing"
    case .unknownProduct: "unknownProduct"
    case .environmentMismatch: "environmentMismatch"
    case .receiptsNotSupported: "receiptsNotSupported"
    case .notRecorded: "notRecorded"
    case .evidenceRefused: "evidenceRefused"
    case .sourceFailed: "sourceFailed"
    case .invalidTransactionID, .invalidPage, .invalidPageLength, .accountNotFound,
      .subscriptionNotFound, .refused:
      "subscriptionNotFound"
    }
  }
}
