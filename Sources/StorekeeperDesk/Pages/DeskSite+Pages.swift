internal import HTTPMessages
internal import JSONValues
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperHTTP

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension DeskSite {
  // MARK: Customers and purchases

  func customer(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage
  {
    guard let text = request.id.percentDecoded, let id = try? AccountID(opaque: text) else {
      return failurePage(.notFound)
    }
    let moment = request.parameter("at").flatMap { CalendarDay($0) }
      .map { $0.advanced(byDays: 1).start - 1 }
    guard moment != nil || request.parameter("at") == nil else { return failurePage(.badRequest) }
    let file = try await desk.file(of: id, at: moment, ledgerPage: request.page)
    let content = CustomerPage(desk: self, file: file, session: session, ledgerPage: request.page)
      .content
    return DeskPage(self, "\(DeskText.customer) \(id.rawValue)", for: session) { content }
      .response()
  }

  func purchase(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage
  {
    guard let id = request.id.percentDecoded, TransactionIDs.areStorable(id) else {
      return failurePage(.notFound)
    }
    let environment =
      request.parameter("in").map { AppStoreEnvironment(rawValue: $0) } ?? .production
    let purchase = try await desk.read { records in
      var purchase = try await HeldPurchase.load(id, in: environment, records)
      try await purchase.readQuestions(onPage: request.page, records)
      return purchase
    }
    let content = PurchasePage(
      desk: self, purchase: purchase, page: request.page, now: desk.now(),
      durations: desk.durations(of: [purchase])
    ).content
    return DeskPage(self, "\(DeskText.purchase) \(id)", for: session) { content }.response()
  }

  // MARK: Lists

  func disputes(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage
  {
    let after = request.parameter("after").flatMap { Int($0) } ?? 0
    let list =
      try await desk.subscriptions?.disputes(
        DisputeQuery(after: after), pageLength: HeldPurchase.pageSize) ?? []
    return DeskPage(self, DeskText.disputes, for: session) {
      if desk.entitlements != nil { p { DeskText.disputesInApps } }
      DeskTable(
        DeskText.disputes,
        [DeskText.number, DeskText.date, DeskText.account, DeskText.purchase]
      ) {
        for dispute in list {
          tr {
            td { String(dispute.number) }
            td { moment(dispute.date) }
            td {
              a(.href(link("/customers", dispute.accountID.rawValue))) {
                dispute.accountID.rawValue
              }
            }
            td {
              a(.href(purchaseLink(dispute.originalTransactionID, .production))) {
                dispute.originalTransactionID
              }
            }
          }
        }
      }.markup
      if list.count == HeldPurchase.pageSize, let last = list.last {
        p { a(.href(link("/disputes", nil, [("after", String(last.number))]))) { DeskText.later } }
      }
    }.response()
  }

  func parked(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage {
    let after = request.parameter("after").flatMap { Int($0) } ?? 0
    let list = try await desk.read { records in
      try await records.outbox.parked(after: after, limit: HeldPurchase.pageSize)
    }
    return DeskPage(self, DeskText.parked, for: session) {
      DeskTable(
        DeskText.parked,
        [DeskText.number, DeskText.date, DeskText.kind, DeskText.account, DeskText.reason]
      ) {
        for message in list {
          tr {
            td { String(message.number) }
            td { moment(message.parkedDate) }
            td { message.message.kind.rawValue }
            td {
              if let id = message.message.account?.id {
                a(.href(link("/customers", id.rawValue))) { id.rawValue }
              }
            }
            td {
              [message.reason.cause.rawValue, message.reason.detail].compactMap(\.self).joined(
                separator: ": ")
            }
          }
        }
      }.markup
      if list.count == HeldPurchase.pageSize, let last = list.last {
        p { a(.href(link("/parked", nil, [("after", String(last.number))]))) { DeskText.later } }
      }
    }.response()
  }

  func undecoded(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage
  {
    let after = request.parameter("after")
    let list = try await desk.read { records in
      try await records.notifications.keptNotifications(after: after, limit: HeldPurchase.pageSize)
    }
    return DeskPage(self, DeskText.undecoded, for: session) {
      DeskTable(
        DeskText.undecoded, [DeskText.date, DeskText.environment, DeskText.reason, DeskText.kind]
      ) {
        for notification in list {
          tr {
            td { moment(notification.receivedDate) }
            td { notification.environment?.rawValue ?? "" }
            td { notification.path }
            td {
              if session.member.role == .agent {
                details {
                  summary { DeskText.payload }
                  pre { notification.signedPayload }
                }
              } else {
                DeskText.bytes(notification.signedPayload.utf8.count)
              }
            }
          }
        }
      }.markup
      if list.count == HeldPurchase.pageSize, let last = list.last {
        p { a(.href(link("/undecoded", nil, [("after", last.key)]))) { DeskText.later } }
      }
    }.response()
  }
}
