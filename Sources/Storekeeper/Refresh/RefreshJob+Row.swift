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
  /// Refreshes one row and ends its lease.
  ///
  /// A write after the lease has expired is harmless. A failure to end the lease does not change
  /// the result of the row, because the lease expires anyway.
  func refresh(_ lease: RefreshLease) async -> RefreshResult {
    do {
      _ = try await subscriptions.refresh(lease.originalTransactionID, because: .poll)
    } catch is CancellationError {
      return await giveBack(lease)
    } catch let failure as SubscriptionFailure {
      return await fail(lease, because: failure.shortCode, after: failure)
    } catch {
      return await fail(lease, because: "storage", after: nil)
    }
    await finish(
      lease, failures: 0, nextTry: subscriptions.now() + configuration.rest, error: nil)
    return .succeeded
  }

  private func fail(
    _ lease: RefreshLease, because code: String, after failure: SubscriptionFailure?
  ) async -> RefreshResult {
    subscriptions.report(.refreshFailed(code))
    let failures = lease.failures + 1
    let pause = pause(after: failure, failures: failures)
    await finish(
      lease, failures: failures, nextTry: subscriptions.now() + pause, error: code)
    return code == VerifyReceiptTransientFailure.sharedSecretMismatch.name ? .failedForAll : .failed
  }

  /// Returns the pause after a failure, in seconds; the longest one for an account that was deleted
  /// at Apple (status 21010).
  private func pause(after failure: SubscriptionFailure?, failures: Int) -> TimeInterval {
    if case .verification(.refused(.accountNotFound, _)) = failure {
      return BackOff.refresh.pause(after: .max, chance: chance()) / .seconds(1)
    }
    return BackOff.refresh.pause(after: failures, chance: chance()) / .seconds(1)
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

  /// Writes in a separate task, so that cancellation does not prevent it.
  ///
  /// A failure is only reported.
  private func writing(
    _ body:
      nonisolated(nonsending) @escaping @Sendable (any SubscriptionRecords) async throws -> Void
  ) async {
    let store = subscriptions.store
    do {
      try await Task { try await store.write(body) }.value
    } catch {
      subscriptions.report(.refreshFailed("storage"))
    }
  }
}

extension SubscriptionFailure {
  /// The code for the column `last_error`; it never contains a receipt.
  var shortCode: String {
    switch self {
    case .verification(let failure): failure.name
    case .receiptNotFound: "receiptMissing"
    case .unknownProduct: "unknownProduct"
    case .environmentMismatch: "environmentMismatch"
    case .receiptsNotSupported: "receiptsNotSupported"
    case .notRecorded: "notRecorded"
    case .sourceFailed: "sourceFailed"
    case .invalidTransactionID, .invalidPage, .invalidPageLength, .accountNotFound,
      .subscriptionNotFound, .refused:
      "subscriptionNotFound"
    }
  }
}
