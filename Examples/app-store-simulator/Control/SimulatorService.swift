public import HTTPMessages
import JSONValues
import ReceiptModels
public import StorekeeperTesting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A simulated App Store over HTTP: a request in, an answer out.
///
/// It answers verifyReceipt as Apple's two servers do, takes orders of what is to happen, tells the
/// webhook, and has a page with buttons for all of that. It is for tests: whoever reaches it controls
/// it, so let only the machine itself reach it.
public struct SimulatorService: Sendable {
  let simulation: Simulation
  let transport: any HTTPTransport
  let clock: any Clock<Duration>

  /// How many bytes the body of a request may have.
  public static let bodyLimit = 4 << 20

  /// A simulated App Store without purchases.
  ///
  /// - Parameters:
  ///   - configuration: What it sells, and whom it tells.
  ///   - transport: Brings notifications to the webhook.
  ///   - authority: What signs; by default a new one, which takes a moment to make.
  ///   - clock: What the pauses between attempts are measured by.
  ///   - now: The machine's time, with which the simulator's goes on.
  /// - Throws: When OpenSSL refuses to make certificates.
  public init(
    _ configuration: SimulatorConfiguration, transport: any HTTPTransport,
    authority: TestAuthority? = nil, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    simulation = try Simulation(configuration, authority: authority, now: now)
    self.transport = transport
    self.clock = clock
  }

  /// Answers a request.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    do {
      return try await answer(ControlCall(request))
    } catch let refusal as ControlRefusal {
      return .refusal(refusal)
    } catch {
      return .json(["message": .string("The simulator failed")], status: .internalServerError)
    }
  }

  private func answer(_ call: ControlCall) async throws -> HTTPResponse {
    let route = try ControlRoute.find(call)
    guard call.isOwn else { throw ControlRefusal.foreign }
    guard call.bodyCount <= Self.bodyLimit else { throw ControlRefusal.bodyTooLarge }
    return try await route.answer(self, call)
  }
}

extension HTTPResponse {
  static func json(
    _ members: [String: JSONValue], status: HTTPStatusCode = .ok
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: JSONValue.object(members).serialized)
  }

  static func refusal(_ refusal: ControlRefusal) -> HTTPResponse {
    var response = json(["message": .string(refusal.message)], status: refusal.status)
    if case .methodNotAllowed(let methods) = refusal {
      // Names of methods have no control characters.
      try? response.headers.set(methods.map(\.name).joined(separator: ", "), for: "Allow")
    }
    return response
  }
}
