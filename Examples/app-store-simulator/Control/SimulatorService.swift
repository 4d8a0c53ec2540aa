public import HTTPMessages
import JSONValues
import ReceiptModels
public import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A simulated App Store over HTTP, with a simulated Play store beside it.
///
/// It answers verifyReceipt as Apple's two servers do and purchases as Google's do, accepts control
/// requests, notifies the webhooks, and has a page with buttons. It is for tests: everyone who can reach it controls it, so
/// make it accessible from the local machine only.
public struct SimulatorService: Sendable {
  let simulation: Simulation
  /// The Play store; nil if there is none.
  let play: PlayDesk?
  let transport: any HTTPTransport
  let clock: any Clock<Duration>

  /// The maximum length of the body of a request, in bytes.
  public static let bodyLimit = 4 << 20

  /// Creates a simulated App Store without purchases.
  public init(
    _ configuration: SimulatorConfiguration, transport: any HTTPTransport,
    authority: TestAuthority? = nil, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let simulation = try Simulation(configuration, authority: authority, now: now)
    self.simulation = simulation
    // One clock for both stores.
    play = try configuration.play.map { play in
      try PlayDesk(
        play, clock: simulation.clock, start: configuration.start, delays: clock, now: now)
    }
    self.transport = transport
    self.clock = clock
  }

  /// Answers a request.
  public func respond(to request: HTTPRequestMessage) async -> HTTPResponseMessage {
    do {
      return try await answer(ControlCall(request))
    } catch let refusal as ControlRefusal {
      return .refusal(refusal)
    } catch {
      return .json(["message": .string("The simulator failed")], status: .internalServerError)
    }
  }

  private func answer(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let route = try ControlRoute.find(call)
    guard call.isOwn else { throw ControlRefusal.foreign }
    guard call.bodyCount <= Self.bodyLimit else { throw ControlRefusal.bodyTooLarge }
    return try await route.answer(self, call)
  }
}

extension HTTPResponseMessage {
  static func json(
    _ members: [String: JSONValue], status: HTTPStatusCode = .ok
  ) -> HTTPResponseMessage {
    HTTPResponseMessage(
      status: status,
      headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: JSONValue.object(members).serialized)
  }

  static func refusal(_ refusal: ControlRefusal) -> HTTPResponseMessage {
    var response = json(["message": .string(refusal.message)], status: refusal.status)
    if case .methodNotAllowed(let methods) = refusal {
      // Names of methods have no control characters.
      try? response.headers.set(methods.map(\.name).joined(separator: ", "), for: "Allow")
    }
    return response
  }
}
