internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RefreshJob {
  /// Refreshes one row and ends its lease; what a worker with a lost lease writes is harmless.
  func refresh(_ lease: RefreshLease) async throws -> RefreshResult {
    do {
      _ = try await subscriptions.refresh(lease.originalTransactionID, because: .poll)
    } catch is CancellationError {
      return try await giveBack(lease)
    } catch let failure as SubscriptionFailure {
      return try await fail(lease, because: failure.shortCode, after: failure)
    } catch {
      return try await fail(lease, because: "storage", after: nil)
    }
    let next = subscriptions.now() + configuration.rest
    _ = try await finish(lease, failures: 0, nextTry: next, error: nil)
    return .succeeded
  }

  private func fail(
    _ lease: RefreshLease, because code: String, after failure: SubscriptionFailure?
  ) async throws -> RefreshResult {
    subscriptions.report(.refreshFailed(code))
    let failures = lease.failures + 1
    let pause = pause(after: failure, failures: failures)
    _ = try await finish(
      lease, failures: failures, nextTry: subscriptions.now() + pause, error: code)
    return code == VerifyReceiptIncident.sharedSecretMismatch.name ? .failedForAll : .failed
  }

  /// An account that Apple does not know any more (21010) waits longest.
  private func pause(after failure: SubscriptionFailure?, failures: Int) -> TimeInterval {
    if case .verification(.refused(.accountNotFound, _)) = failure {
      return BackOff.refresh.longestPause(chance: chance())
    }
    return BackOff.refresh.pause(afterFailures: failures, chance: chance())
  }

  private func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) async throws -> Bool {
    try await subscriptions.store.write { records in
      try await records.refreshes.finish(
        lease, failures: failures, nextTry: nextTry, error: error)
    }
  }

  /// In a task of its own, so that it is done also after cancellation.
  func giveBack(_ lease: RefreshLease) async throws -> RefreshResult {
    let store = subscriptions.store
    try await Task {
      try await store.write { records in try await records.refreshes.giveBack(lease) }
    }.value
    return .givenBack
  }
}

extension SubscriptionFailure {
  /// For the column `last_error`: never a receipt.
  fileprivate var shortCode: String {
    switch self {
    case .verification(let failure): failure.name
    case .receiptNotFound: "receiptMissing"
    case .unknownProduct: "unknownProduct"
    case .environmentMismatch: "environmentMismatch"
    case .missing, .invalidAccountID, .invalidTransactionID, .invalidPage, .invalidPageLength,
      .accountNotFound, .subscriptionNotFound, .refused:
      "subscriptionNotFound"
    }
  }
}
