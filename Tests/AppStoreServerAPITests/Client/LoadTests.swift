import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import StorekeeperLocks
import Testing

@Suite("Load", .timeLimit(.minutes(30))) struct LoadTests {
  /// A transport with random faults, from a seed.
  private final class Faulty: HTTPTransport {
    let random = Locked(SplitMix())
    let begun = Locked<[String: [ContinuousClock.Instant]]>([:])
    let good: HTTPResponseMessage

    init(good: HTTPResponseMessage) { self.good = good }

    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      let key = "\(request.method) \(request.url)"
      begun.withLock { $0[key, default: []].append(.now) }
      let chance = random.withLock { Int.random(in: 0..<100, using: &$0) }
      let wait = random.withLock { Int.random(in: 0..<3000, using: &$0) }
      if chance % 3 == 0 { try await Task.sleep(for: .microseconds(wait)) }
      switch chance {
      case 0..<4: throw HTTPTransportFailure(.notConnected)
      case 4..<8: throw HTTPTransportFailure(.interrupted)
      case 8..<12: throw HTTPTransportFailure(.timedOut)
      case 12..<16: return HTTPResponseMessage(status: 503, body: Array("<html>".utf8))
      case 16..<18:
        return HTTPResponseMessage(status: 500, body: Array(#"{"errorCode":5000001}"#.utf8))
      case 18..<20: return HTTPResponseMessage(status: 429, headers: ["Retry-After": "0"])
      case 20..<22: return HTTPResponseMessage(status: 401)
      case 22..<24: return HTTPResponseMessage(status: 200, body: Array("null".utf8))
      case 24..<25:
        // Longer than the time limit.
        try await Task.sleep(for: .seconds(1))
        return good
      default: return good
      }
    }
  }

  @Test("64 tasks over one client all end, and the limiter holds")
  func load() async throws {
    let isLong = ProcessInfo.processInfo.environment["STOREKEEPER_LONG"] == "1"
    let time = isLong ? Duration.seconds(60) : .seconds(3)
    let parts = try ClientScene.shared.get()
    let good = try SampleCall.of(.transactionInfo).success.get()
    let transport = Faulty(good: good)
    var configuration = AppStoreServerClient.Configuration()
    configuration.timeout = .milliseconds(50)
    configuration.patience = .seconds(1)
    configuration.firstPause = .milliseconds(1)
    configuration.limiter = RequestLimiter()
    let client = try AppStoreServerClient(
      key: try SigningKey(pem: parts.pem, keyID: ClientScene.keyID),
      issuerID: ClientScene.issuerID, bundleID: ClientScene.bundleID,
      verifier: try ClientScene.verifier(), transport: transport, configuration: configuration)
    let (answered, failed, cancelled) = await withTaskGroup(
      of: (Int, Int, Int).self
    ) { group in
      for number in 0..<64 {
        group.addTask {
          var counts = (0, 0, 0)
          // From here on, because other tests may keep the threads busy before.
          let end = ContinuousClock.now + time
          while ContinuousClock.now < end {
            let call = Task {
              if number % 2 == 0 {
                _ = try await client.transactionInfo(SampleCall.id, in: .sandbox)
              } else {
                try await client.finishTransaction(SampleCall.id, in: .production)
              }
            }
            if number % 8 == 7 {
              try? await Task.sleep(for: .milliseconds(2))
              call.cancel()
            }
            do {
              try await call.value
              counts.0 += 1
            } catch let failure as AppStoreServerFailure {
              if failure.reason.name == "cancelled" { counts.2 += 1 } else { counts.1 += 1 }
              // A limited call would spin.
              try? await Task.sleep(for: .milliseconds(1))
            } catch {
              Issue.record(error)
            }
          }
          return counts
        }
      }
      return await group.reduce((0, 0, 0)) { ($0.0 + $1.0, $0.1 + $1.1, $0.2 + $1.2) }
    }
    #expect(answered > 0)
    #expect(failed > 0)
    #expect(cancelled > 0)
    let begun = transport.begun.withLock { $0 }
    #expect(begun.count == 2)
    for (key, times) in begun {
      // Turns are granted at the rate; a thread may be late for its turn.
      let rate = key.hasPrefix("GET") ? 5 : 50
      let first = times.min() ?? .now
      let seconds = Int(first.duration(to: times.max() ?? .now) / .seconds(1))
      #expect(times.count <= rate * (seconds + 3))
    }
  }
}
