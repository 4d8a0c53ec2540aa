internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension OutboxDelivery {
  /// A line of messages, which are delivered in the order of each account.
  struct Line: Sendable {
    let kind: OutboxMessage.Kind
    /// The name of the reader that is held while messages are leased.
    let reader: String
    /// The number of accounts whose messages are delivered at the same time.
    let concurrency: Int
    /// Notes that a message was taken that had failed, so that all others are worth an attempt in between.
    let wantHaste: @Sendable () -> Void
    /// Has messages tried in between, and adds new ones, while an attempt takes long.
    let refill: @Sendable () async throws -> Void
  }

  /// Delivers the messages of a line, those of so many accounts at the same time.
  ///
  /// An attempt that takes long keeps one place of those, and nobody else waiting. After an error nothing more is begun,
  /// and what has begun is awaited.
  func deliverDue(in line: Line, _ report: inout Report) async throws {
    let last = now() + leaseDuration.timeInterval
    var queues: ArraySlice<[OutboxLease]> = []
    var (end, running, isWatched) = (last, 0, false)
    // More may be free than was leased; and what follows a message is free when that was delivered or parked.
    var (isLooked, wasFull, before) = (false, false, 0)
    var failure: (any Error)?
    await withThrowingTaskGroup(of: Report?.self) { group in
      while true {
        let isAdvanced = before < report.delivered + report.parked
        if failure == nil, queues.isEmpty, running < line.concurrency,
          !isLooked || isAdvanced && (wasFull || running == 0), !Task.isCancelled, now() < last
        {
          (isLooked, before) = (true, report.delivered + report.parked)
          end = now() + leaseDuration.timeInterval
          do {
            let leases = try await lease(until: end)
            wasFull = leases.count == max(1, batchSize)
            queues = leases.inOrderOfAccounts[...]
          } catch {
            failure = error
          }
        }
        while failure == nil, running < line.concurrency, let queue = queues.popFirst() {
          running += 1
          group.addTask { [end] in
            var report = Report()
            try await deliverInTurn(queue, until: end, &report)
            return report
          }
        }
        guard running > 0 else { break }
        if !isWatched {
          isWatched = true
          // It only ends early, and nobody is to be told of that.
          group.addTask { [clock] in
            try? await clock.sleep(for: .seconds(1))
            return nil
          }
        }
        do {
          guard let ended = try await group.next() else { break }
          if let ended {
            running -= 1
            report.add(ended)
          } else if failure == nil, !Task.isCancelled {
            (isWatched, isLooked) = (false, false)
            try await line.refill()
          }
        } catch {
          failure = failure ?? error
          // Of what was begun only a delivery throws; the refill had none of the places.
          if isWatched { running -= 1 }
        }
      }
      group.cancelAll()
    }
    await giveBack(ArraySlice(queues.joined()))
    if let failure { throw failure }
  }
}

extension [OutboxLease] {
  /// The messages of each account in their order; each message without an account is alone.
  fileprivate var inOrderOfAccounts: [[OutboxLease]] {
    var queues: [[OutboxLease]] = []
    var places: [AccountID: Int] = [:]
    for lease in self {
      guard let account = lease.message.account?.id else {
        queues.append([lease])
        continue
      }
      if let place = places[account] {
        queues[place].append(lease)
      } else {
        places[account] = queues.count
        queues.append([lease])
      }
    }
    return queues
  }
}
