import FileReceiptStorage
import Foundation
import PurchaseStorage
import ReceiptModels
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite("Receipts in files")
struct FileReceiptStoreTests {
  @Test("keep the laws of a receipt store")
  func laws() async throws {
    let folder = try TemporaryFolder()
    let contract = ReceiptStoreContract {
      let directory = folder.url.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
      return FileReceiptStore(directory: directory.path)
    }
    for law in contract.laws { try await law.check() }
  }

  @Test("have the names that older servers gave them, and are for their owner alone")
  func names() async throws {
    let folder = try TemporaryFolder()
    let store = FileReceiptStore(directory: folder.url.path)
    try await store.put(receipt("1000000322563042", .sandbox, "MIIB", 5))
    let path = folder.url.appendingPathComponent("1000000322563042_Sandbox").path
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "MIIB")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names) == ["1000000322563042_Sandbox", ".lock"])
  }

  @Test("are read with the ending of older servers too")
  func text() async throws {
    let folder = try TemporaryFolder()
    try Data("MIIC".utf8).write(to: folder.url.appendingPathComponent("42_Production.txt"))
    let store = FileReceiptStore(directory: folder.url.path)
    #expect(try await store.receipt(of: "42", environment: .production)?.receipt == "MIIC")
    #expect(try await store.receipt(of: "42", environment: .sandbox) == nil)
  }

  @Test(
    "are never found under another name than an id",
    arguments: ["", "..", "../42", "42/43", "４２", "42\0", String(repeating: "4", count: 65)])
  func hostile(id: String) async throws {
    let folder = try TemporaryFolder()
    let store = FileReceiptStore(directory: folder.url.path)
    await #expect(throws: StorageFailure.invalidValue(field: .evidence("originalTransactionID"))) {
      try await store.receipt(of: id, environment: .production)
    }
    await #expect(throws: StorageFailure.invalidValue(field: .evidence("originalTransactionID"))) {
      try await store.put(receipt(id, .production, "MIIB", 1))
    }
    await #expect(throws: StorageFailure.invalidValue(field: .evidence("environment"))) {
      try await store.remove("42", environment: .xcode)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test("that are no text or too long are refused on reading")
  func notAReceipt() async throws {
    let folder = try TemporaryFolder()
    try Data([0xFF, 0xFE]).write(to: folder.url.appendingPathComponent("42_Production"))
    let store = FileReceiptStore(directory: folder.url.path)
    await #expect(throws: FileReceiptStore.Failure.notAReceipt) {
      try await store.receipt(of: "42", environment: .production)
    }
  }

  @Test("need their directory")
  func noDirectory() async throws {
    let store = FileReceiptStore(directory: "/nowhere/at/all")
    #expect(try await store.receipt(of: "42", environment: .production) == nil)
    await #expect(throws: FileReceiptStore.Failure.system(code: 2)) {
      try await store.put(receipt("42", .production, "MIIB", 1))
    }
  }

  @Test("that were written half stay unseen")
  func draft() async throws {
    let folder = try TemporaryFolder()
    try Data("MI".utf8).write(to: folder.url.appendingPathComponent("42_Production.new"))
    let store = FileReceiptStore(directory: folder.url.path)
    #expect(try await store.receipt(of: "42", environment: .production) == nil)
    try await store.put(receipt("42", .production, "MIIB", 1))
    #expect(try await store.receipt(of: "42", environment: .production)?.receipt == "MIIB")
  }

  private func receipt(
    _ id: String, _ environment: AppStoreEnvironment, _ text: String, _ stamp: Double
  ) -> StoredReceipt {
    StoredReceipt(
      originalTransactionID: id, environment: environment, receipt: text,
      asOf: Date(timeIntervalSince1970: stamp))
  }
}
