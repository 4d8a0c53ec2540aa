import JSONValues
import ReceiptModels
import Storekeeper

/// An account to erase.
struct ErasureOrder {
  private let account: AccountID
  private var secondID: AccountID?
  private var reference: String?
  private var isTrial = false

  /// Reads and removes the account and the flags behind it.
  init(_ arguments: inout ArraySlice<String>) throws(SettingsFailure) {
    let isMarked = arguments.first == "--"
    if isMarked { arguments.removeFirst() }
    guard let text = arguments.first, isMarked || !text.hasPrefix("--"),
      let account = try? AccountID(opaque: text)
    else {
      throw SettingsFailure(
        "erase takes the identifier of an account, behind -- if it begins with --")
    }
    arguments.removeFirst()
    self.account = account
    while let flag = arguments.first {
      switch flag {
      case "--dry-run": isTrial = true
      case "--second-id":
        arguments.removeFirst()
        guard let text = arguments.first, let id = try? AccountID(opaque: text) else {
          throw SettingsFailure("erase --second-id takes the other identifier of the account")
        }
        secondID = id
      case "--reference":
        arguments.removeFirst()
        guard let text = arguments.first, (1...255).contains(text.utf8.count) else {
          throw SettingsFailure("erase --reference takes a text of at most 255 bytes")
        }
        reference = text
      default: return
      }
      arguments.removeFirst()
    }
  }

  /// Erases the account, and returns what to print.
  func run(_ workers: Workers) async throws -> JSONValue {
    let report =
      isTrial
      ? try await workers.eraser.preview(of: account, secondID: secondID)
      : try await workers.eraser.erase(account, secondID: secondID, reference: reference)
    let rows = report.rows.map { ($0.key.rawValue, JSONValue.integer($0.value)) }
    return .object([
      "pseudonym": report.pseudonym.map { .string($0.rawValue) } ?? .null,
      "dryRun": .boolean(isTrial), "rows": .object(Dictionary(uniqueKeysWithValues: rows)),
    ])
  }
}
