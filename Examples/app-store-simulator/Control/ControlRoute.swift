import HTTPMessages
import ReceiptVerifier
import StorekeeperTesting

/// A route of the simulator.
struct ControlRoute: Sendable {
  /// Nil for any method: verifyReceipt also answers wrong ones.
  let method: HTTPRequestMethod?
  let path: String
  let answer: @Sendable (SimulatorService, ControlCall) async throws -> HTTPResponseMessage

  static let all = [
    ControlRoute(method: .get, path: "/") { _, _ in .page },
    ControlRoute(method: .get, path: "/root.der") { service, _ in
      .certificate(service.simulation.signedDataAuthority.certificate(.root))
    },
    ControlRoute(method: .get, path: "/receipt-root.der") { service, _ in
      .certificate(service.simulation.authority.certificate(.root))
    },
    ControlRoute(method: nil, path: "/production/verifyReceipt") { service, call in
      try await service.verifyReceipt(call, .production)
    },
    ControlRoute(method: nil, path: "/sandbox/verifyReceipt") { service, call in
      try await service.verifyReceipt(call, .sandbox)
    },
    ControlRoute(method: .get, path: "/control/state") { service, _ in await service.state() },
    ControlRoute(method: .get, path: "/control/receipt") { service, call in
      try await service.receipt(call)
    },
    ControlRoute(method: .post, path: "/control/buy") { service, call in
      try await service.buy(call)
    },
    ControlRoute(method: .post, path: "/control/renew") { service, call in
      try await service.renew(call)
    },
    ControlRoute(method: .post, path: "/control/refund") { service, call in
      try await service.refund(call)
    },
    ControlRoute(method: .post, path: "/control/reverseRefund") { service, call in
      try await service.reverseRefund(call)
    },
    ControlRoute(method: .post, path: "/control/sign") { service, call in
      try await service.sign(call)
    },
    ControlRoute(method: .post, path: "/control/upgrade") { service, call in
      try await service.upgrade(call)
    },
    ControlRoute(method: .post, path: "/control/lapse") { service, call in
      try await service.lapse(call)
    },
    ControlRoute(method: .post, path: "/control/share") { service, call in
      try await service.share(call)
    },
    ControlRoute(method: .post, path: "/control/assign") { service, call in
      try await service.assign(call)
    },
    ControlRoute(method: .post, path: "/control/revoke") { service, call in
      try await service.revoke(call)
    },
    ControlRoute(method: .post, path: "/control/increasePrice") { service, call in
      try await service.increasePrice(call)
    },
    ControlRoute(method: .post, path: "/control/redeem") { service, call in
      try await service.redeem(call)
    },
    ControlRoute(method: .post, path: "/control/externalPurchaseToken") { service, call in
      try await service.createExternalPurchaseToken(call)
    },
    ControlRoute(method: .post, path: "/control/advance") { service, call in
      try await service.advance(call)
    },
    ControlRoute(method: .post, path: "/control/requestRefund") { service, call in
      try await service.requestRefund(call)
    },
    ControlRoute(method: .post, path: "/control/decideRefund") { service, call in
      try await service.decideRefund(call)
    },
    ControlRoute(method: .post, path: "/control/extend") { service, call in
      try await service.extend(call)
    },
    ControlRoute(method: .post, path: "/control/test") { service, call in
      try await service.sendTest(call)
    },
    ControlRoute(method: .post, path: "/control/reviewMessages") { service, call in
      try await service.reviewMessages(call)
    },
    ControlRoute(method: .post, path: "/control/lose") { service, call in
      try await service.lose(call)
    },
    ControlRoute(method: .post, path: "/control/away") { service, call in
      try await service.away(call)
    },
    ControlRoute(method: .post, path: "/control/fault") { service, call in
      try await service.fault(call)
    },
    ControlRoute(method: .post, path: "/control/desk") { service, call in
      try await service.setDesk(call)
    },
    ControlRoute(method: .post, path: "/control/webhook") { service, call in
      try await service.setWebhook(call)
    },
  ]

  static func find(_ call: ControlCall) throws(ControlRefusal) -> ControlRoute {
    if let address = ServerAPIAddress(call.request.url) {
      return ControlRoute(method: nil, path: call.path) { service, call in
        try await service.serverAPI(call, address)
      }
    }
    if let address = PlayAddress(call.request.url) {
      return ControlRoute(method: nil, path: call.path) { service, call in
        try await service.playServer(call, address)
      }
    }
    let routes = (all + play).filter { $0.path.utf8.elementsEqual(call.path.utf8) }
    guard !routes.isEmpty else { throw .unknownRoute }
    guard let route = routes.first(where: { $0.takes(call.request.method) }) else {
      throw .methodNotAllowed(routes.compactMap(\.method))
    }
    return route
  }

  private func takes(_ method: HTTPRequestMethod) -> Bool {
    self.method == nil || self.method == method
  }
}
