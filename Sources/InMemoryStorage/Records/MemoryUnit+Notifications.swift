internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: NotificationRepository {
  func record(notification: NotificationRecord, now: Date) throws -> Bool {
    try writing { $0.notifications.add(Recorded(value: notification, date: now)) }
  }

  func isSeen(notificationKey: String) throws -> Bool {
    try tables.notifications[RowKey(notificationKey)] != nil
  }

  func latestNotificationDate(environment: AppStoreEnvironment) throws -> Date? {
    try tables.notifications.page { $0.value.environment == environment }.map(\.date).max()
  }

  func keep(_ notification: KeptNotification) throws {
    try writing { _ = $0.keptNotifications.add(notification) }
  }

  func keptNotifications(after key: String?, limit: Int) throws -> [KeptNotification] {
    try tables.keptNotifications.page(after: key.map { RowKey($0) }, limit: limit)
  }

  func removeKeptNotification(key: String) throws {
    try writing { $0.keptNotifications[RowKey(key)] = nil }
  }
}

extension MemoryUnit: ConsumptionRepository {
  func add(_ case: ConsumptionCase) throws -> Bool {
    try writing { $0.consumption.add(`case`) }
  }

  func find(key: String) throws -> ConsumptionCase? {
    try tables.consumption[RowKey(key)]
  }

  func prepare(_ case: ConsumptionCase, replacing answer: String?) throws -> Bool {
    try writing { tables in
      tables.consumption.change(
        RowKey(`case`.key),
        where: { $0.state == .waiting && $0.answer.map { RowKey($0) } == answer.map { RowKey($0) } }
      ) {
        $0.originalTransactionID = `case`.originalTransactionID
        $0.productID = `case`.productID
        $0.answer = `case`.answer
        $0.proposedAnswer = `case`.proposedAnswer
      }
    }
  }

  func settle(key: String, state: ConsumptionCase.State, answer: String?, now: Date) throws {
    try writing { tables in
      _ = tables.consumption.change(RowKey(key), where: { $0.state == .waiting }) {
        $0.state = state
        $0.answer = answer
        $0.proposedAnswer = nil
        $0.stateDate = now.inMilliseconds
      }
    }
  }

  func note(
    outcome: String, ofTransaction transactionID: String, environment: AppStoreEnvironment,
    date: Date
  ) throws -> Bool {
    let date = date.inMilliseconds
    return try writing { tables in
      let cases = tables.cases(of: transactionID, environment)
      guard var row = cases.last(where: { $0.outcome == nil && $0.requestedDate <= date }) else {
        return false
      }
      row.outcome = outcome
      row.outcomeDate = date
      tables.consumption.save(row)
      return true
    }
  }

  func cases(
    ofTransaction transactionID: String, environment: AppStoreEnvironment
  ) throws -> [ConsumptionCase] {
    try tables.cases(of: transactionID, environment)
  }

  func waiting(at date: Date, limit: Int) throws -> [ConsumptionCase] {
    let date = date.inMilliseconds
    let cases = try tables.consumption.page { $0.state == .waiting && date < $0.deadline }
    return Array(cases.sorted { $0.deadline < $1.deadline }.prefix(max(limit, 0)))
  }
}

extension MemoryTables {
  /// Returns the cases of a transaction, oldest first; those of one moment stay in the order of their keys.
  fileprivate func cases(
    of transactionID: String, _ environment: AppStoreEnvironment
  ) -> [ConsumptionCase] {
    consumption.page(by: IndexKey(.purchase, RowKey(environment, transactionID)))
      .sorted { $0.requestedDate < $1.requestedDate }
  }
}

extension NotificationRecord: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(key) }
}

extension KeptNotification: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(key) }
  var stored: KeptNotification {
    var row = self
    row.receivedDate = receivedDate.inSeconds
    return row
  }
}

extension ConsumptionCase: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(key) }
  var stored: ConsumptionCase {
    inMilliseconds(\.requestedDate, \.deadline).inMilliseconds(\.stateDate, \.outcomeDate)
  }
}
