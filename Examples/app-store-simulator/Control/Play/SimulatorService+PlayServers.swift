import HTTPMessages
import JSONValues
import StoreSimulators

// The orders about the Play store's servers and pushes; see
// Documentation/guides/app-store-simulator.md.

extension SimulatorService {
  /// Sends a test notification.
  func sendTest(_ play: PlayDesk) async throws -> HTTPResponseMessage {
    let last = play.newestNumber
    play.store.sendTestNotification()
    return .json(["notifications": .array(await push(play, after: last).map(Self.json))])
  }

  /// Pushes a notification once more, also as somebody who is not Google.
  func push(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    guard let number = try body.count("number", upTo: .max) else {
      throw ControlRefusal.invalid("number")
    }
    let sender = try body.choice("as", or: PlayPushSender.pubSub)
    guard let delivery = await play.delivery(number) else {
      throw ControlRefusal.invalid("number")
    }
    guard let url = await play.url else { throw ControlRefusal.noPushURL }
    var request = try play.store.push(delivery.notification, as: sender)
    request.url = url
    let attempt = await attempt(request)
    return .json(["attempt": Self.json(attempt)])
  }

  /// Loses the next notifications on their way.
  func lose(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    let count = try body.count("count", upTo: 1000) ?? 1
    play.store.loseNotifications(next: count)
    return .json(["count": .integer(count)])
  }

  /// Signs pushes with another key from now on.
  func rotateKeys(_ play: PlayDesk) async throws -> HTTPResponseMessage {
    try play.store.rotatePushKey()
    return .json(["keys": .array(play.store.publishedPushKeyIDs.map(JSONValue.string))])
  }

  private enum AccessChange: String, CaseIterable {
    case revokeTokens, deleteKey, disableAccount
  }

  /// Takes the server's access away.
  func changeAccess(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    guard let text = try body.shortText("change"), let change = AccessChange(rawValue: text) else {
      throw ControlRefusal.invalid("change")
    }
    switch change {
    case .revokeTokens: play.store.revokeAccessTokens()
    case .deleteKey: play.store.deleteServiceAccountKey()
    case .disableAccount: play.store.disableServiceAccount()
    }
    return .json(["change": .string(text)])
  }

  /// Changes the address of pushes.
  func setWebhook(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    let url = try body.shortText("url", upTo: 2048)
    if let url, !SimulatorConfiguration.isAddress(url) { throw ControlRefusal.invalid("url") }
    await play.setURL(url)
    return .json(["webhook": url.map(JSONValue.string) ?? .null])
  }

  /// Makes the next requests to Google fail, or stops that.
  func fault(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    guard let fault = try PlayFaultOrder(body).fault else {
      play.store.stopFailing()
      return .json(["count": .integer(0)])
    }
    let endpoint = try body.shortText("at").map { text throws(ControlRefusal) in
      guard let endpoint = PlayStoreSimulator.Endpoint(rawValue: text) else {
        throw ControlRefusal.invalid("at")
      }
      return endpoint
    }
    let lasts = try body.flag("always") ?? false
    let count = try body.count("count", upTo: 1000) ?? 1
    play.store.fail(next: lasts ? nil : count, with: fault, at: endpoint)
    return .json(["count": lasts ? .null : .integer(count)])
  }
}

/// The fault that an order names; nil if there is to be none any more.
private struct PlayFaultOrder {
  let fault: PlayStoreSimulator.Fault?

  private enum Name: String, CaseIterable {
    case none
    case authError, permissionDenied, projectNotLinked, accessNotConfigured, quotaExceeded
    case tooManyRequests, backendError, error, html, empty, brokenJSON, slow, silence
  }

  init(_ body: ControlBody) throws(ControlRefusal) {
    guard let text = try body.shortText("fault"), let name = Name(rawValue: text) else {
      throw .invalid("fault")
    }
    let status = try body.count("status", upTo: 599).map { HTTPStatusCode($0) }
    fault =
      switch name {
      case .none: nil
      case .authError: .authError
      case .permissionDenied: .permissionDenied
      case .projectNotLinked: .projectNotLinked
      case .accessNotConfigured: .accessNotConfigured
      case .quotaExceeded: .quotaExceeded
      case .tooManyRequests: .tooManyRequests(retryAfter: try body.shortText("retryAfter"))
      case .backendError: .error(status ?? 503, reason: "backendError")
      case .error: .error(status ?? 400, reason: try body.requiredShortText("reason"))
      case .html: .answer(status ?? 502, .html)
      case .empty: .answer(status ?? 200, .empty)
      case .brokenJSON: .brokenJSON
      case .slow: .delay(.seconds(try body.count("seconds", upTo: 600) ?? 5))
      case .silence: .silence
      }
  }
}
