import PurchaseStorage
import ReceiptModels

/// Knows every account, for trying things out.
struct AnyAccountDirectory: AccountDirectory {
  func account(ftcID: String) -> Account? { account(ftcID: ftcID, unionID: nil) }

  func account(ftcID: String?, unionID: String?) -> Account? {
    try? Account(ftcID: ftcID, unionID: unionID)
  }
}
