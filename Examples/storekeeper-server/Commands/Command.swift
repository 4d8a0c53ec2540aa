import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The task of the program, which its first arguments name.
enum Command {
  case serve
  case digest
  /// Decodes again the notifications that were stored undecoded.
  case decode
  /// Compares the store with a customer's whole history.
  case reconcile(transactionID: String)
  /// Recovers notifications: those that did not arrive since the last time, or all since a date.
  case recover(since: Date?)
  /// Rebuilds what the database lost since a date from what the stores know.
  case rebuild(since: Date)
  /// Imports purchases of another system from a file.
  case imports(ImportOrder)
  /// Prints all that is known about customers; with their receipts and purchase tokens if that is said.
  case export(withEvidence: Bool)
  /// Erases an account, or tells what would be erased.
  case erase(ErasureOrder)
  /// Prints the disputes: all, or those since a date.
  case disputes(since: Date?)
  /// Prints where the settings' products differ from the Play Console.
  case compareCatalog
  /// Ends testing for all accounts, or resumes it.
  case testing(ends: Bool)
  /// Prints the parked messages of the outbox.
  case parked
  case events(EventCommand)
  /// Prints the figures of the business.
  case report(ReportOrder)
  /// Frees a parked message; nil for all.
  case resend(number: Int?)
  /// Removes a parked message.
  case discard(number: Int)

  /// Reads and removes the arguments that name the task.
  init(_ arguments: inout ArraySlice<String>) throws(SettingsFailure) {
    // Nobody who asks for help is told first that something is missing.
    if let second = arguments.dropFirst().first, ["--help", "-h"].contains(second) {
      arguments = [second]
    }
    switch arguments.first {
    case "digest" where arguments.count == 1: self = .digest
    case "decode": self = .decode
    case "parked": self = .parked
    case "compare-catalog": self = .compareCatalog
    case "end-testing": self = .testing(ends: true)
    case "resume-testing": self = .testing(ends: false)
    case "resend":
      arguments.removeFirst()
      let number = Self.number(arguments.first)
      guard number != nil || arguments.first == "all" else {
        throw SettingsFailure("resend takes the number of a parked message, or all")
      }
      self = .resend(number: number)
    case "discard":
      arguments.removeFirst()
      guard let number = Self.number(arguments.first) else {
        throw SettingsFailure("discard takes the number of a parked message")
      }
      self = .discard(number: number)
    case let name? where ["events", "replay", "enable", "drop"].contains(name):
      arguments.removeFirst()
      self = .events(try EventCommand(name, &arguments))
      return
    case "report":
      arguments.removeFirst()
      self = .report(try ReportOrder(&arguments))
      return
    case "reconcile":
      arguments.removeFirst()
      guard let id = arguments.first, (1...64).contains(id.utf8.count),
        id.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { throw SettingsFailure("reconcile takes a transaction ID of 1 to 64 digits") }
      self = .reconcile(transactionID: id)
    case "recover":
      arguments.removeFirst()
      self = .recover(since: try Self.date(&arguments, of: "recover"))
      return
    case "rebuild":
      arguments.removeFirst()
      self = .rebuild(since: try Self.moment(&arguments))
      return
    case "import":
      arguments.removeFirst()
      self = .imports(try ImportOrder(&arguments))
      return
    case "export":
      arguments.removeFirst()
      let isWhole = arguments.first == "--with-evidence"
      if isWhole { arguments.removeFirst() }
      self = .export(withEvidence: isWhole)
      return
    case "erase":
      arguments.removeFirst()
      self = .erase(try ErasureOrder(&arguments))
      return
    case "disputes":
      arguments.removeFirst()
      self = .disputes(since: try Self.date(&arguments, of: "disputes"))
      return
    default:
      self = .serve
      return
    }
    arguments.removeFirst()
  }

  /// Reads and removes a time in milliseconds since 1970; nil if there is none before the flags.
  private static func date(
    _ arguments: inout ArraySlice<String>, of command: String
  ) throws(SettingsFailure) -> Date? {
    guard let text = arguments.first, !text.hasPrefix("-") else { return nil }
    guard let milliseconds = Int64(text), milliseconds < 1 << 48 else {
      throw SettingsFailure("\(command) takes a time in milliseconds since 1970, or none")
    }
    arguments.removeFirst()
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Reads and removes `--since` and its moment: a day in UTC, a time such as 2026-11-25T03:00:00Z, or milliseconds
  /// since 1970.
  private static func moment(_ arguments: inout ArraySlice<String>) throws(SettingsFailure) -> Date
  {
    let refusal = SettingsFailure(
      "rebuild takes --since and a time, such as 2026-11-25T03:00:00Z")
    var texts =
      arguments.popFirst()?.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false
      ).map(String.init) ?? []
    guard texts.first == "--since" else { throw refusal }
    if texts.count == 1, let next = arguments.popFirst() { texts.append(next) }
    guard texts.count == 2 else { throw refusal }
    guard let date = moment(texts[1]) else { throw refusal }
    return date
  }

  /// Returns a moment that there is: no 30th of February, and no milliseconds of before the App Store, which are seconds,
  /// or a day without hyphens.
  private static func moment(_ text: String) -> Date? {
    if let milliseconds = Int64(text) {
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      return openingOfTheAppStore <= date ? date : nil
    }
    guard CalendarDay(String(text.prefix(10))) != nil else { return nil }
    return try? Date(text.utf8.count == 10 ? text + "T00:00:00Z" : text, strategy: .iso8601)
  }

  /// 2008-07-10T00:00:00Z.
  private static let openingOfTheAppStore = Date(timeIntervalSince1970: 1_215_648_000)

  private static func number(_ text: String?) -> Int? {
    text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }
}
