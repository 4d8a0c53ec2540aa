import HTTPMessages
import JSONValues
import StoreSimulators
import StorekeeperTesting

// Pushes of the Play store: Pub/Sub repeats each one until the server acknowledges it.

extension SimulatorService {
  /// The pauses before the attempts for which an order waits.
  private static let firstPauses: [Duration] = [.zero, .milliseconds(300), .seconds(1)]
  /// The longest pause before a later attempt, where Google waits ten minutes.
  private static let longestPause = Duration.seconds(60)

  /// Pushes what happened since the last call, also what happened by itself.
  ///
  /// For a program: it calls this now and then.
  public func pushDueNotifications() async {
    guard let play else { return }
    _ = await simulation.now
    await push(play)
  }

  /// Pushes the new notifications, and returns those after a number with the results of their first
  /// attempts, also of those that another call began to push; without a number it returns none.
  @discardableResult
  func push(_ play: PlayDesk, after last: Int = .max) async -> [PlayDelivery] {
    let service = self
    let own = await play.pushNew { await service.pushFirst($0, play) }
    await own.value
    var delivered: [PlayDelivery] = []
    for (number, pushing) in await play.pushes(after: last) {
      await pushing.value
      if let delivery = await play.delivery(number) { delivered.append(delivery) }
    }
    return delivered
  }

  /// Makes the first attempts; if none succeeds, others follow that nobody waits for.
  private func pushFirst(_ number: Int, _ play: PlayDesk) async {
    for pause in Self.firstPauses {
      guard await push(number, play, after: pause) == .again else { return }
    }
    await play.repeatLater(number)
    let service = self
    Task { await service.pushAgain(number, play) }
  }

  private func pushAgain(_ number: Int, _ play: PlayDesk) async {
    var pause = Duration.seconds(2)
    while await push(number, play, after: pause) == .again {
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private enum Next {
    case again, over
  }

  /// Makes one attempt.
  private func push(_ number: Int, _ play: PlayDesk, after pause: Duration) async -> Next {
    do {
      if pause > .zero { try await clock.sleep(for: pause) }
      guard let delivery = await play.delivery(number), let url = delivery.url,
        delivery.state != .accepted
      else { return .over }
      var request = try play.store.push(delivery.notification)
      request.url = url
      let attempt = await attempt(request)
      await play.record(attempt, of: number)
      return attempt.isAcknowledged ? .over : .again
    } catch {
      return .over
    }
  }

  /// Sends a request, and returns what came of it.
  func attempt(_ request: HTTPRequestMessage) async -> Delivery.Attempt {
    var request = request
    request.timeout = .seconds(10)
    request.responseLimit = 64 << 10
    do {
      let response = try await transport.send(request)
      let text = String(decoding: response.body.prefix(300), as: UTF8.self)
      return Delivery.Attempt(status: response.status.code, text: text)
    } catch let failure as HTTPTransportFailure {
      return Delivery.Attempt(text: "\(failure.reason)")
    } catch {
      return Delivery.Attempt(text: "interrupted")
    }
  }
}
