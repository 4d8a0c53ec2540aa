import FileReceiptStorage
import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A folder whose lock somebody keeps, and one that the system does not come back from.
@Suite("Receipts in a folder that is stuck")
struct StuckFolderTests {
  private typealias Failure = FileReceiptStore.Failure

  @Test("a reader does not wait for a writer that waits for the lock")
  func readerBesideWriter() async throws {
    let folder = try StuckFolder()
    try await folder.store.put(receipt("42"))
    let lock = try folder.takeLock()
    async let writing: Void = folder.store.put(receipt("43"))
    await folder.clock.sleepers(reach: 1)
    #expect(try await folder.store.receipt(of: "42", environment: .production)?.receipt == "MIIB")
    lock.release()
    try await writing
    #expect(try await folder.store.receipt(of: "43", environment: .production)?.receipt == "MIIB")
  }

  @Test("a lock that is not given back is waited for until the limit, and then no more")
  func keptLock() async throws {
    let folder = try StuckFolder()
    let lock = try folder.takeLock()
    let writing = Task { try await folder.store.put(receipt("42")) }
    await folder.clock.sleepers(reach: 1)
    folder.clock.advance(by: .seconds(5))
    await #expect(throws: Failure.timeUp) { try await writing.value }
    // No time passes any more.
    await #expect(throws: Failure.timeUp) { try await folder.store.put(receipt("42")) }
    await #expect(throws: Failure.timeUp) {
      try await folder.store.remove("42", environment: .production)
    }
    lock.release()
    try await folder.untilItWorks { try await folder.store.put(receipt("42")) }
    #expect(try await folder.store.receipt(of: "42", environment: .production)?.receipt == "MIIB")
  }

  @Test("what does not come back keeps four threads, then all readers are refused at once")
  func lostReaders() async throws {
    let folder = try StuckFolder()
    try await folder.store.put(receipt("42"))
    try folder.makePipe("43_Production")
    let store = folder.store
    let readers = (0..<6).map { _ in
      Task { try await store.receipt(of: "43", environment: .production) }
    }
    await folder.clock.sleepers(reach: 6)
    folder.clock.advance(by: .seconds(5))
    for reader in readers {
      await #expect(throws: Failure.timeUp) { try await reader.value }
    }
    await #expect(throws: Failure.timeUp) {
      try await store.receipt(of: "42", environment: .production)
    }
    // Writers have a thread of their own.
    try await store.put(receipt("44"))
    try folder.openPipe("43_Production")
    try await folder.untilItWorks {
      let found = try await store.receipt(of: "42", environment: .production)
      #expect(found?.receipt == "MIIB")
    }
  }

  @Test("a request is answered after its commit, though the lock of the folder is kept")
  func request() async throws {
    let incidents = Locked<[Failure]>([])
    let folder = try StuckFolder()
    let lock = try folder.takeLock()
    defer { lock.release() }
    let scene = try await ServiceScene(receiptCaches: [folder.store]) { incident in
      guard case .receiptCacheUnwritable(let error as Failure) = incident else { return }
      incidents.withLock { $0.append(error) }
    }
    let purchase = try scene.appStore.buy(ServiceScene.monthly, by: "customer")
    async let answer = scene.service.verify(receipt: purchase.receipt)
    await folder.clock.sleepers(reach: 1)
    folder.clock.advance(by: .seconds(5))
    _ = try await answer
    #expect(incidents.withLock { $0 } == [.timeUp])
    let id = purchase.originalTransactionID
    #expect(try await scene.service.subscription(id).originalTransactionID == id)
  }

  private func receipt(_ id: String) -> StoredReceipt {
    StoredReceipt(
      originalTransactionID: id, environment: .production, receipt: "MIIB",
      asOf: Date(timeIntervalSince1970: 5))
  }
}

/// A store in a folder of its own, whose limit of five seconds is measured by a clock that stands
/// still.
private final class StuckFolder: Sendable {
  struct SystemFailure: Error { let code: Int32 }

  let clock = ManualClock()
  let store: FileReceiptStore
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("receipts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    store = FileReceiptStore(directory: url.path, timeLimit: .seconds(5), clock: clock)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Takes the lock as another process does.
  func takeLock() throws -> KeptLock {
    let path = url.appendingPathComponent(".lock").path
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      throw SystemFailure(code: errno)
    }
    return KeptLock(descriptor: descriptor)
  }

  /// A file that whoever opens it for reading waits for.
  func makePipe(_ name: String) throws {
    guard unsafe mkfifo(url.appendingPathComponent(name).path, 0o600) == 0 else {
      throw SystemFailure(code: errno)
    }
  }

  /// Lets go all who wait for the pipe.
  func openPipe(_ name: String) throws {
    let descriptor = unsafe open(url.appendingPathComponent(name).path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(code: errno) }
    close(descriptor)
  }

  /// Again as long as it is refused for what was stuck: threads come back when the system lets them.
  func untilItWorks(_ body: () async throws -> Void) async throws {
    while true {
      do {
        return try await body()
      } catch FileReceiptStore.Failure.timeUp {
        await Task.yield()
      }
    }
  }
}

/// A lock until it is released.
private struct KeptLock: Sendable {
  let descriptor: Int32
  func release() { close(descriptor) }
}
