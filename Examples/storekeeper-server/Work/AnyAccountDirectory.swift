import PurchaseStorage
import ReceiptModels

/// A directory that knows every account, for trials.
struct AnyAccountDirectory: AccountDirectory {
  func account(_ id: AccountID) -> Account? { Account(id: id) }

  func account(primaryID: AccountID?, secondID: AccountID?) -> Account? {
    Account(primaryID: primaryID, secondID: secondID)
  }
}
