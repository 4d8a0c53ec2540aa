internal import HTTPMessages

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The address of a page, with the texts in it encoded.
struct DeskLink: Hashable, Sendable {
  let address: String

  /// Creates the address of a page of the desk: its path, with at most one text in it, and its parameters.
  ///
  /// `prefix` is where the desk is mounted.
  init(
    _ prefix: String, _ path: StaticString, _ text: String? = nil, _ query: [(String, String)] = []
  ) {
    var address = prefix + "\(path)"
    if let text { address += "/" + text.percentEncoded }
    if !query.isEmpty {
      address +=
        "?" + query.map { "\($0.0.percentEncoded)=\($0.1.percentEncoded)" }.joined(separator: "&")
    }
    self.address = address
  }

  /// Creates an address that a rule has, below that of the rules' pages, which the host sets.
  init(rule: DeskRule, below base: String) { address = base + "/\(rule.page).md" }
}

/// The section of the rules that explains a decision.
struct DeskRule: Hashable, Sendable {
  /// The name of the rules' page, without its ending.
  let page: String
  let section: String

  static func linking(_ section: String) -> DeskRule {
    DeskRule(page: "linking-rules", section: section)
  }
  static func appStore(_ section: String) -> DeskRule {
    DeskRule(page: "app-store-rules", section: section)
  }
  static func entitlements(_ section: String) -> DeskRule {
    DeskRule(page: "entitlement-rules", section: section)
  }
  static func credits(_ section: String) -> DeskRule {
    DeskRule(page: "credit-rules", section: section)
  }
  static func googlePlay(_ section: String) -> DeskRule {
    DeskRule(page: "google-play-rules", section: section)
  }
}
