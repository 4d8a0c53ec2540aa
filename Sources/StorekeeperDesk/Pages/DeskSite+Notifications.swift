internal import AppStoreServerAPI
internal import HTTPMessages
internal import JWSVerifier
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperCrypto
internal import StorekeeperHTTP

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension DeskSite {
  /// The notifications that Apple sent about a customer, with their payloads, as Apple's history has them.
  ///
  /// It is a form, as Apple is asked. Who only reads sees no payload.
  func notifications(
    _ request: PageRequest, _ session: DeskSession
  ) async throws -> HTTPResponseMessage {
    guard request.isFromOwnPage else { return failurePage(.forbidden) }
    guard let id = request.id.percentDecoded, TransactionIDs.areStorable(id),
      TransactionIDs.vendor(of: id) == .apple
    else { return failurePage(.notFound) }
    let environment =
      request.parameter("in").map { AppStoreEnvironment(rawValue: $0) } ?? .production
    guard let page = await desk.notifications(about: id, in: environment) else {
      return DeskPage(self, DeskText.notificationsWord, for: session) {
        p(.class("alert"), Attribute("role", "alert")) { DeskText.noAnswerOfApple }
      }.response()
    }
    return DeskPage(self, DeskText.notificationsWord, for: session) {
      p { a(.href(purchaseLink(id, environment))) { "\(DeskText.purchase) \(id)" } }
      if page.notifications.isEmpty { p { DeskText.noNotifications } }
      if page.hasMore { p { DeskText.moreNotifications } }
      DeskTable(
        DeskText.notificationsWord,
        [DeskText.date, DeskText.kind, DeskText.attempts, DeskText.payload]
      ) {
        for sent in page.notifications { row(of: sent, session) }
      }.markup
    }.response()
  }

  @MarkupBuilder
  private func row(of sent: SentNotification, _ session: DeskSession) -> Markup {
    let content = sent.content
    tr {
      td { moment(content?.signedDate) }
      td {
        [content?.notificationType?.rawValue, content?.subtype?.rawValue].compactMap(\.self)
          .joined(separator: ", ")
      }
      td {
        sent.sendAttempts.value.compactMap(\.sendAttemptResult?.rawValue)
          .joined(separator: ", ")
      }
      td {
        if session.member.role == .agent {
          details {
            summary { DeskText.payload }
            pre { payload(of: sent.signedPayload) }
            for nested in [content?.data?.signedTransactionInfo, content?.data?.signedRenewalInfo] {
              if let nested { pre { payload(of: nested) } }
            }
          }
        } else {
          DeskText.bytes(sent.signedPayload.utf8.count)
        }
      }
    }
  }
}

/// The payload of a signed token as text, or the token where it has none.
private func payload(of token: String) -> String {
  guard let parts = CompactJWS(token), let bytes = Base64.decode(parts.payload, .url) else {
    return token
  }
  return String(decoding: bytes, as: UTF8.self)
}

extension Desk {
  /// The most pages of Apple's history that are read, of 20 notifications each.
  private static let pageLimit = 10

  /// Asks Apple for the notifications about a customer, the newest first; nil if none was found, and a client
  /// got no answer.
  fileprivate func notifications(
    about id: String, in environment: AppStoreEnvironment
  ) async -> (notifications: [SentNotification], hasMore: Bool)? {
    // Apple's history is shorter, and has all until now.
    var request = NotificationHistoryRequest(
      startDate: context.now() - 200 * 86_400, endDate: context.now() + 60)
    request.transactionID = id
    var found: (notifications: [SentNotification], hasMore: Bool)? = ([], false)
    for appStore in appStores {
      var (sent, hasMore, count) = ([SentNotification](), false, 0)
      do {
        for try await page in appStore.notificationHistory(request, in: environment) {
          (sent, hasMore, count) = (sent + page.notifications, page.hasMore, count + 1)
          if count == Self.pageLimit { break }
        }
      } catch  where error.isUnknownIdentifier {
        // Another app's.
        continue
      } catch {
        context.tell(.sourceFailed(error))
        // What was read counts; without any, it is not known that there is none.
        (hasMore, found) = (true, sent.isEmpty ? nil : found)
      }
      if !sent.isEmpty { return (sent.sorted { $0.signedDate > $1.signedDate }, hasMore) }
    }
    return found
  }
}

extension SentNotification {
  /// The content, where it was verified.
  fileprivate var content: ServerNotification? {
    (try? notification.get())?.payload.notification
  }

  fileprivate var signedDate: Date { content?.signedDate ?? .distantPast }
}
