import HTTPMessages

/// Delivers notifications to the webhook, with short pauses between the attempts.
///
/// Apple retries after 1, 12, 24, 48 and 72 hours whenever the status is not 200 to 206.
struct Courier: Sendable {
  let url: String
  let transport: any HTTPTransport
  let clock: any Clock<Duration>
  var pauses: [Duration] = [.milliseconds(300), .seconds(1)]
  var timeout: Duration = .seconds(10)

  /// Sends a body until it is accepted or the pauses are used up; reports every attempt.
  func deliver(
    _ body: [UInt8], _ report: (Delivery.Attempt) async -> Void
  ) async -> Bool {
    for pause in [nil] + pauses.map(Optional.some) {
      if let pause {
        do { try await clock.sleep(for: pause) } catch { return false }
      }
      let attempt = await attempt(body)
      await report(attempt)
      if attempt.isAccepted { return true }
    }
    return false
  }

  private func attempt(_ body: [UInt8]) async -> Delivery.Attempt {
    let request = HTTPRequestMessage(
      method: .post, url: url, headers: [.contentType: "application/json"], body: body,
      timeout: timeout, responseLimit: 64 << 10)
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

extension Delivery.Attempt {
  var isAccepted: Bool { status.map { (200...299).contains($0) } ?? false }
}
