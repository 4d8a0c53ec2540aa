internal import LinkPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The forms of values in the texts.

extension DeskText {
  /// A moment to the minute, in UTC.
  static func moment(_ date: Date) -> String {
    let text = date.formatted(.iso8601)
    guard text.utf8.count >= 16 else { return text }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  static func day(_ date: Date?) -> String { date.map(moment) ?? "an unknown day" }

  static func vendor(_ vendor: Vendor) -> String {
    switch vendor {
    case .apple: "Apple"
    case .google: "Google"
    default: vendor.rawValue
    }
  }

  static func product(_ id: String, of vendor: Vendor) -> String {
    "\(id) (\(self.vendor(vendor)))"
  }

  static func plan(_ tier: Tier?, _ cycle: BillingCycle?) -> String {
    [tier?.rawValue ?? "of an unknown level", cycle.map { "by the \($0.rawValue)" }]
      .compactMap(\.self).joined(separator: ", ")
  }

  static func source(_ vendor: Vendor, _ date: Date) -> String {
    "\(self.vendor(vendor)) vouched for this as of \(moment(date))."
  }

  static func rule(_ rule: DeskRule) -> String {
    "\(rule.page.replacing("-", with: " ")), section \(rule.section)"
  }

  static func asOf(_ date: Date) -> String { "As of \(moment(date))" }
}
