internal import JSONValues
internal import StorekeeperLocks
public import ReceiptModels
internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreSimulator {
  /// Makes a token for an external purchase, as when a customer goes on to pay outside of the App Store.
  ///
  /// - Parameters:
  ///   - type: The type, which only tokens for custom links have.
  ///   - expiration: The date on which a token for a custom link expires.
  /// - Returns: Apple's notification of the token, with the subtype `CREATED`.
  @discardableResult
  public func createExternalPurchaseToken(
    _ type: ExternalPurchaseTokenType? = nil, expiration: Date? = nil
  ) -> SentNotification {
    var token = ExternalPurchaseToken()
    let id = UUID().uuidString.lowercased()
    token.externalPurchaseID = environment == .sandbox ? "SANDBOX_\(id)" : id
    token.tokenType = type
    token.tokenCreationDate = now
    token.tokenExpirationDate = expiration
    token.appAppleID = environment == .production ? appAppleID : nil
    token.bundleID = bundleID
    return send(.created, about: token) { $0.externalTokens.append(SimulatedToken(token: token)) }
  }

  /// Asks for the reports about tokens that were made ten days ago or earlier and that nobody has reported, once each.
  ///
  /// - Returns: Apple's notifications, with the subtype `UNREPORTED`, in the order in which the tokens were made.
  @discardableResult
  public func askForExternalPurchaseReports() -> [SentNotification] {
    let due = now.addingTimeInterval(-Self.reportTime.timeInterval)
    let tokens = state.withLock { state in
      let reported = Set(state.serverAPI.externalReports.values.map { $0["externalPurchaseId"] })
      let places = state.serverAPI.externalTokens.indices.filter { place in
        let known = state.serverAPI.externalTokens[place]
        return !known.isAskedFor && known.token.tokenCreationDate.map { $0 <= due } ?? false
          && !reported.contains(known.token.externalPurchaseID.map { .string($0) })
      }
      for place in places { state.serverAPI.externalTokens[place].isAskedFor = true }
      return places.map { state.serverAPI.externalTokens[$0].token }
    }
    return tokens.map { send(.unreported, about: $0) }
  }

  /// Reminds the host of a token that has not expired.
  ///
  /// - Returns: Apple's notification, with the subtype `ACTIVE_TOKEN_REMINDER`.
  /// - Throws: ``SimulatorFailure/unknownPurchase``, also for a token that has expired.
  @discardableResult
  public func remindOfExternalPurchaseToken(
    _ id: String
  ) throws(SimulatorFailure) -> SentNotification {
    let now = now
    let known = state.withLock { state in
      state.serverAPI.externalTokens.first { $0.token.externalPurchaseID == id }
    }
    guard let token = known?.token, token.tokenExpirationDate.map({ now < $0 }) ?? true else {
      throw .unknownPurchase
    }
    return send(.activeTokenReminder, about: token)
  }

  /// The time after which Apple asks for a report.
  private static let reportTime = Duration.days(10)

  private func send(
    _ subtype: NotificationSubtype, about token: ExternalPurchaseToken,
    _ change: (inout ServerAPIState) -> Void = { _ in }
  ) -> SentNotification {
    let record = SimulatedNotification(
      .externalPurchaseToken, subtype, at: now, .externalPurchase(token))
    let kept = state.withLock { state in
      change(&state.serverAPI)
      return state.serverAPI.keep(record)
    }
    return SentNotification(record: kept, appStore: self)
  }
}

/// A token for an external purchase.
struct SimulatedToken: Sendable {
  let token: ExternalPurchaseToken
  /// Whether Apple has asked for its report.
  var isAskedFor = false
}
