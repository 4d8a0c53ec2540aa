import AppStoreServerAPI
import JSONValues
import JWSVerifier
import ReceiptModels

extension Call {
  static let notifications: [String: Call] = [
    "notifications": Call(
      """
      --start MS --end MS [--only-failures] [--type T] [--subtype S] [--transaction ID]
      """, 0
    ) { question in
      let history = question.client.notificationHistory(try notificationRequest(question))
      var pages = 0
      var host = JSONValue.null
      for try await page in history {
        for (index, notification) in page.notifications.enumerated() {
          Line.print(notification.members(index: index, page: pages))
        }
        pages += 1
        host = .string(page.environment.rawValue)
      }
      Line.print(["pages": .integer(pages), "host": host])
    },
    "test-notification": Call("[--wait SECONDS]", 0) { question in
      let wait = try question.arguments.value("--wait").map(seconds)
      let token = try await question.client.requestTestNotification()
      question.done([
        "testNotificationToken": .string(token.value), "host": .string(token.environment.rawValue),
      ])
      guard let wait else { return }
      guard
        let status = try await question.client.awaitTestNotification(token.value, atMost: wait)
      else { throw TestNotificationMissing() }
      Line.print(status.members)
    },
    "test-notification-status": Call("TOKEN", 1) { question in
      Line.print(try await question.client.testNotificationStatus(question.words[0]).members)
    },
  ]

  private static func notificationRequest(
    _ question: Question
  ) throws -> NotificationHistoryRequest {
    guard let start = try question.date("--start"), let end = try question.date("--end") else {
      throw UsageFailure("--start and --end are needed")
    }
    let arguments = question.arguments
    var request = NotificationHistoryRequest(startDate: start, endDate: end)
    if arguments.has("--only-failures") { request.onlyFailures = true }
    request.notificationType = try arguments.value("--type").map { NotificationType(rawValue: $0) }
    request.notificationSubtype = try arguments.value("--subtype").map {
      NotificationSubtype(rawValue: $0)
    }
    request.transactionID = try arguments.value("--transaction")
    return request
  }

  private static func seconds(_ text: String) throws(UsageFailure) -> Duration {
    guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
      throw UsageFailure("--wait takes a number of seconds, more than 0, at most 86400")
    }
    return .seconds(seconds)
  }
}

/// The absence of a test notification at the end of the time for which it was waited.
struct TestNotificationMissing: Error {}

extension SentNotification {
  fileprivate func members(index: Int, page: Int) -> Members {
    var members: Members =
      switch notification {
      case .success(let verified): verified.members
      case .failure(let failure):
        ["refused": .string(failure.name), "index": .integer(index), "page": .integer(page)]
      }
    members["sendAttempts"] = sendAttempts.json
    return members
  }
}

extension TestNotificationStatus {
  fileprivate var members: Members {
    notification.members.merging(["sendAttempts": sendAttempts.json]) { $1 }
  }
}
