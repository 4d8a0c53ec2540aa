import HTTPMessages
import JSONValues
import StoreSimulators

extension ControlRoute {
  /// The orders about the Play store.
  static let play: [ControlRoute] =
    [
      ControlRoute(method: .get, path: "/control/play/state") { service, _ in
        try await service.playState()
      },
      order("subscribe") { service, play, body in
        try await service.subscribe(play, body)
      },
      order("buy") { service, play, body in try await service.buy(play, body) },
      order("changePlan") { service, play, body in try await service.changePlan(play, body) },
      order("refund") { service, play, body in try await service.refund(play, body) },
      order("notify") { service, play, body in try await service.notify(play, body) },
      order("test") { service, play, _ in try await service.sendTest(play) },
      order("push") { service, play, body in try await service.push(play, body) },
      order("lose") { service, play, body in try await service.lose(play, body) },
      order("rotateKeys") { service, play, _ in try await service.rotateKeys(play) },
      order("access") { service, play, body in try await service.changeAccess(play, body) },
      order("fault") { service, play, body in try await service.fault(play, body) },
      order("webhook") { service, play, body in try await service.setWebhook(play, body) },
    ]
    + PlayAct.allCases.map { act in
      order(act.rawValue) { service, play, body in try await service.act(act, play, body) }
    }

  /// An order with a JSON object; there is none without a Play store.
  private static func order(
    _ name: String,
    _ answer:
      @escaping @Sendable (SimulatorService, PlayDesk, ControlBody) async throws ->
      HTTPResponseMessage
  ) -> ControlRoute {
    ControlRoute(method: .post, path: "/control/play/\(name)") { service, call in
      let play = try service.playDesk
      let body = try ControlBody(parsing: call.request.body)
      // The clock follows the machine's.
      _ = await service.simulation.now
      return try await answer(service, play, body)
    }
  }
}

/// An order about one purchase, which needs little more than its name.
enum PlayAct: String, CaseIterable, Sendable {
  case completePayment, cancelPayment, acknowledge
  case renew, failRenewal, recover, pause, resume, deferPayment, changePrice, confirmPrice
  case stepUpPrice, consentToPriceStep
  case cancel, restore, expire, revoke, forget
  case topUp, resubscribe, resubscribeOutOfApp, requestRefundReview, decideRefundReview
}
