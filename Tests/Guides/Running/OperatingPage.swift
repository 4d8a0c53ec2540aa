import LinkPolicy
import PurchaseStorage
import ReceiptModels
import SQLiteStorage
import Storekeeper

/// The page `operating.md`, whose code about the store is run.
struct OperatingPage: Page {
  let store: SQLiteStore

  static func run() async throws {
    try await inNewFolder {
      let page = OperatingPage(store: try await SQLiteStore(path: "host.sqlite"))
      try await page.parkedMessages()
      try await page.ageOfEvidence()
      try await page.store.close()
    }
  }
}
