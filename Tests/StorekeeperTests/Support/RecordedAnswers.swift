import StoreSimulators
import StorekeeperHTTP
import HTTPMessages
import StorekeeperLocks
import ReceiptVerifier

/// Answers of the simulated App Store, kept to arrive later than they were given.
final class RecordedAnswers: HTTPTransport {
  private let appStore: AppStoreSimulator
  private let answer = Locked<HTTPResponseMessage?>(nil)

  init(_ appStore: AppStoreSimulator) { self.appStore = appStore }

  /// Asks now, for later.
  func record(_ receipt: String) async throws {
    let recorder = ChangedAnswers(base: appStore) { _, response in
      self.answer.withLock { [response] in $0 = response }
    }
    _ = try await client(recorder).verify(base64: receipt)
  }

  func client() throws -> VerifyReceiptClient { try client(self) }

  private func client(_ transport: any HTTPTransport) throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.clock = appStore.clock
    return try VerifyReceiptClient(
      transport: transport, bundleIDs: [ServiceScene.bundleID],
      sharedSecret: appStore.sharedSecret, configuration: configuration)
  }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    guard let response = answer.withLock({ $0 }) else {
      throw HTTPTransportFailure(.notConnected)
    }
    return response
  }
}
