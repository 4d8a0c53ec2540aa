import JWSVerifier
import ReceiptModels
import Storekeeper
import StorekeeperHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Turns the texts of settings into what they mean.
struct SettingReader {
  let given: GivenSettings

  // MARK: Single values

  func text(_ setting: Setting) -> String? { given.values[setting]?.texts.first }

  /// A number, which is at least 1 unless told otherwise.
  func number(_ setting: Setting, atLeast least: Int = 1) throws(SettingsFailure) -> Int? {
    guard let text = text(setting) else { return nil }
    guard let number = Int(text), (least...(1 << 30)).contains(number) else {
      throw wrong(setting, text)
    }
    return number
  }

  /// An age of evidence, in seconds.
  func age(_ setting: Setting) throws(SettingsFailure) -> TimeInterval? {
    guard let days = try number(setting) else { return nil }
    let age = TimeInterval(days) * 86_400
    guard age >= RetentionJob.minimumAge else { throw wrong(setting, "\(days)") }
    return age
  }

  func isOn(_ setting: Setting) throws(SettingsFailure) -> Bool {
    switch text(setting) {
    case "true": return true
    case "false", nil: return false
    case let text?: throw wrong(setting, text)
    }
  }

  func address() throws(SettingsFailure) -> (host: String, port: UInt16)? {
    guard let text = text(.listen) else { return nil }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { throw wrong(.listen, text) }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { throw wrong(.listen, text) }
    return (String(host), port)
  }

  func database() throws(SettingsFailure) -> Settings.Database {
    guard let text = text(.database) else { return .sqlite(path: "storekeeper.sqlite") }
    if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") { return .postgres(text) }
    let path = text.dropFirst("sqlite:".count)
    guard text.hasPrefix("sqlite:"), !path.isEmpty else { throw wrong(.database, text) }
    return .sqlite(path: String(path))
  }

  /// Without a slash at its end.
  func appStoreURL() throws(SettingsFailure) -> String? {
    guard let text = text(.appStoreURL) else { return nil }
    guard let url = URL(string: text), url.host?.isEmpty == false, url.query == nil,
      url.scheme == "http" || url.scheme == "https"
    else { throw wrong(.appStoreURL, text) }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  func testRoot() throws(SettingsFailure) -> TrustAnchor? {
    guard let path = text(.testRoot) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .unreadableFile(path)
    }
    do {
      return try TrustAnchor(certificate: Array(data))
    } catch {
      throw wrong(.testRoot, path)
    }
  }

  // MARK: Lists

  func apps() throws(SettingsFailure) -> [App] {
    var apps: [App] = []
    for (name, value) in try pairs(.app) {
      guard let number = value.flatMap({ Int($0) }), number > 0 else {
        throw wrong(.app, value.map { "\(name)=\($0)" } ?? name)
      }
      apps.append(App(bundleID: name, appAppleID: number))
    }
    guard !apps.isEmpty else { throw .missing(.app) }
    return apps
  }

  func products() throws(SettingsFailure) -> ProductMap {
    var plans: [String: Plan] = [:]
    for (name, value) in try pairs(.product) {
      let parts = (value ?? "").split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, let tier = Tier.allCases.first(where: { $0.rawValue == parts[0] }),
        let cycle = BillingCycle.allCases.first(where: { $0.rawValue == parts[1] })
      else { throw wrong(.product, value.map { "\(name)=\($0)" } ?? name) }
      plans[name] = Plan(tier: tier, cycle: cycle)
    }
    guard !plans.isEmpty else { throw .missing(.product) }
    return ProductMap(plans)
  }

  func tokens() throws(SettingsFailure) -> [BearerTokens.Entry] {
    var entries: [BearerTokens.Entry] = []
    for (name, value) in try pairs(.token, isRight: { Self.digest($0) != nil }) {
      guard let (digest, end) = Self.digest(value) else { continue }
      entries.append(BearerTokens.Entry(name: name, digest: digest, expires: end))
    }
    guard !entries.isEmpty else { throw .missing(.token) }
    return entries
  }

  /// A digest, and when it ends; nil where the text is none, and may be the token itself.
  private static func digest(_ value: String?) -> (String, end: Date?)? {
    let parts = (value ?? "").split(
      separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let digest = parts.first, digest.utf8.count == 64,
      digest.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    guard parts.count == 2 else { return (String(digest), nil) }
    guard let end = try? Date(String(parts[1]), strategy: .iso8601) else { return nil }
    return (String(digest), end)
  }

  func accounts() throws(SettingsFailure) -> Settings.Accounts {
    if try isOn(.acceptAnyAccount) {
      guard given.values[.account] == nil else { throw .listedAndAnyAccounts }
      return .any
    }
    guard let texts = given.values[.account]?.texts else { throw .noAccounts }
    var accounts: [Account] = []
    for text in texts {
      guard let account = try? Self.account(text) else { throw wrong(.account, text) }
      accounts.append(account)
    }
    return .listed(accounts)
  }

  /// Reads `id`, `id=second` or `=second`.
  private static func account(_ text: String) throws(AccountFailure) -> Account {
    var ids: [AccountID?] = []
    for part in text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) {
      let part = String(part)
      ids.append(part.isBlank ? nil : try AccountID(part))
    }
    guard let account = Account(primaryID: ids[0], secondID: ids.count == 2 ? ids[1] : nil) else {
      throw .missing
    }
    return account
  }

  func environments() throws(SettingsFailure) -> Set<AppStoreEnvironment>? {
    guard let texts = given.values[.environment]?.texts else { return nil }
    var environments: Set<AppStoreEnvironment> = []
    for text in texts {
      let environment = AppStoreEnvironment(rawValue: text)
      guard environment == .production || environment == .sandbox else {
        throw wrong(.environment, text)
      }
      environments.insert(environment)
    }
    return environments
  }

  /// The texts of a list as `name=value`, no name twice; a value is checked before a name is told.
  private func pairs(
    _ setting: Setting, isRight: (String?) -> Bool = { _ in true }
  ) throws(SettingsFailure) -> [(name: String, value: String?)] {
    var pairs: [(name: String, value: String?)] = []
    guard let given = given.values[setting] else { return [] }
    for (index, text) in given.texts.enumerated() {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let value = parts.count == 2 ? String(parts[1]) : nil
      guard !name.isEmpty, isRight(value) else {
        throw setting.isSecret
          ? .wrongElement(setting, given.origin, place: index + 1) : wrong(setting, text)
      }
      guard !pairs.contains(where: { $0.name == name }) else {
        throw .twice(
          setting, given.origin, name: setting.isSecret ? nil : name, place: index + 1)
      }
      pairs.append((name, value))
    }
    return pairs
  }

  private func wrong(_ setting: Setting, _ text: String) -> SettingsFailure {
    .wrongValue(
      setting, given.values[setting]?.origin ?? .flag, value: setting.isSecret ? nil : text)
  }
}
