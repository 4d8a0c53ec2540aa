import AppStoreServerAPI
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import RedisReceiptStorage
import Storekeeper
import StorekeeperHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The texts of one setting, and their conversion to values.
///
/// Conversions throw ``SettingsFailure`` for a text that does not have the setting's form.
struct GivenValue {
  let setting: Setting
  /// The name that the texts were given under: a flag, a variable, or a key and its file.
  let name: String
  /// At least one text.
  var texts: [String]

  var text: String { texts[0] }

  /// Reads the value into the settings of the server; an empty one only where the setting has such.
  func read(into settings: inout Settings) throws {
    guard setting.mayBeEmpty || !texts.isEmpty && !texts.contains("") else {
      throw SettingsFailure("\(name) is empty; it takes \(setting.form)")
    }
    try setting.read(&settings, self)
  }

  func number(atLeast least: Int = 1) throws(SettingsFailure) -> Int {
    guard let number = Int(text), (least...(1 << 30)).contains(number) else { throw wrong(text) }
    return number
  }

  /// A number of days for which evidence is kept.
  func age() throws(SettingsFailure) -> Duration {
    let age = Duration.days(try number())
    guard age >= RetentionJob.minimumAge else { throw wrong(text) }
    return age
  }

  func uuid() throws(SettingsFailure) -> UUID {
    guard let uuid = UUID(uuidString: text) else { throw wrong(text) }
    return uuid
  }

  func isOn() throws(SettingsFailure) -> Bool {
    guard let isOn = Bool(text) else { throw wrong(text) }
    return isOn
  }

  func address() throws(SettingsFailure) -> (host: String, port: UInt16) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { throw wrong(text) }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { throw wrong(text) }
    return (String(host), port)
  }

  func database() throws(SettingsFailure) -> Settings.Database {
    if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") { return .postgres(text) }
    if text.hasPrefix("mysql://") || text.hasPrefix("mariadb://") { return .mariadb(text) }
    let path = text.dropFirst("sqlite:".count)
    guard text.hasPrefix("sqlite:"), !path.isEmpty else { throw wrong(text) }
    return .sqlite(path: String(path))
  }

  /// The one line of a file.
  func passwordOfFile() throws(SettingsFailure) -> String {
    guard let bytes = RegularFile.contents(text, limit: 4096),
      let text = String(validating: bytes, as: UTF8.self), bytes.count <= 4096
    else { throw SettingsFailure("the file of \(name) cannot be read") }
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.count == 1 else {
      throw SettingsFailure("the file of \(name) takes a password in one line")
    }
    return String(lines[0])
  }

  func redis() throws(SettingsFailure) -> RedisReceiptStore.Configuration {
    do throws(RedisReceiptStore.Configuration.URLFailure) {
      return try RedisReceiptStore.Configuration(url: text)
    } catch {
      throw SettingsFailure("\(name) takes \(setting.form); its \(error) is wrong")
    }
  }

  /// An address with http or https, without a slash at its end, and without user, query and fragment.
  func url() throws(SettingsFailure) -> String {
    guard let url = URL(string: text), url.host?.isEmpty == false, url.user == nil,
      url.query == nil, url.fragment == nil,
      url.scheme == "http" || url.scheme == "https"
    else { throw wrong(text) }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// An address with https, or one with http on this machine, as a bearer token is sent there.
  func localURL() throws(SettingsFailure) -> String {
    let url = try url()
    guard url.hasPrefix("http://") else { return url }
    guard let host = URL(string: url)?.host, LoopbackHost.isOne(host) else {
      throw wrong(text)
    }
    return url
  }

  /// Consumption information that Apple accepts, from a file.
  func consumption() throws(SettingsFailure) -> ConsumptionRequest {
    let json = try json()
    let request: ConsumptionRequest
    do {
      request = try ConsumptionRequest(json: json)
      try request.validate()
    } catch {
      throw SettingsFailure("\(text) is no consumption information: \(error)")
    }
    if let name = request.additionalMembers.keys.min() {
      throw SettingsFailure("\(text) has a member \(name), which is none of Apple's")
    }
    return request
  }

  /// A review of a chargeback that Google accepts once it has the token of a question, from a file.
  func refundReview() throws(SettingsFailure) -> OrdersReviewRefundRequest {
    let json = try json()
    let review: OrdersReviewRefundRequest
    do {
      review = try OrdersReviewRefundRequest(json: json)
      var answer = review
      answer.pendingRefundToken = "token"
      try answer.validate()
    } catch {
      throw SettingsFailure("\(text) is no review of a refund: \(error)")
    }
    if let name = review.additionalMembers.keys.min() {
      throw SettingsFailure("\(text) has a member \(name), which is none of Google's")
    }
    guard review.pendingRefundToken.isEmpty else {
      throw SettingsFailure("\(text) has a pendingRefundToken, but each question has its own")
    }
    return review
  }

  /// The JSON in a file.
  private func json() throws(SettingsFailure) -> JSONValue {
    guard let data = FileManager.default.contents(atPath: text) else { throw .unreadable(text) }
    guard let json = try? JSONDecoder().decode(JSONValue.self, from: data) else {
      throw SettingsFailure("\(text) is no JSON object")
    }
    return json
  }

  /// The certificate in each file.
  func certificates() throws(SettingsFailure) -> [TrustAnchor] {
    try texts.map { path throws(SettingsFailure) in
      guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path) }
      do {
        return try TrustAnchor(certificate: Array(data))
      } catch {
        throw wrong(path)
      }
    }
  }

  /// A key for session tokens: a public key in PEM, or else a secret.
  ///
  /// A line break at the end of a secret that is text doesn't count, as an editor may add one.
  func sessionKey() throws(SettingsFailure) -> SessionKey {
    guard let data = FileManager.default.contents(atPath: text) else {
      throw SettingsFailure("the file of \(name) cannot be read")
    }
    let bytes = Array(data)
    // As a secret, a public key would let everyone sign.
    guard !PublicKeyForm.isKeyWithoutPEM(bytes) else {
      throw SettingsFailure(
        "the file of \(name) looks like a key in DER or JSON; it takes the bytes of a secret, or a"
          + " public key in PEM")
    }
    let contents = String(decoding: bytes, as: UTF8.self)
    do throws(SessionKeyFailure) {
      if contents.contains("-----BEGIN") { return try SessionKey(publicKeyPEM: contents) }
      return try SessionKey(secret: Self.secret(in: bytes))
    } catch {
      throw switch error {
      case .secretTooShort(let minimum):
        SettingsFailure("the file of \(name) has a secret of fewer than \(minimum) bytes")
      case .malformedKey, .keyNotOnP256, .unusable:
        SettingsFailure("the file of \(name) is no public key on P-256 in PEM")
      @unknown default: SettingsFailure("the file of \(name) cannot be used")
      }
    }
  }

  private static func secret(in bytes: [UInt8]) -> [UInt8] {
    let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
    let text = line.last == 0x0D ? line.dropLast() : line
    return text.allSatisfy { (0x20...0x7E).contains($0) } ? Array(text) : bytes
  }

  // MARK: Lists

  /// Production, Sandbox or both.
  func environments() throws(SettingsFailure) -> Set<AppStoreEnvironment> {
    Set(
      try elements(areNamed: false) { name, rest in
        let environment = AppStoreEnvironment(rawValue: name)
        return rest == nil && [.production, .sandbox].contains(environment) ? environment : nil
      })
  }

  /// Environments, or `auto` for both.
  func environmentsOrAuto() throws(SettingsFailure) -> Set<AppStoreEnvironment> {
    texts == ["auto"] ? [.production, .sandbox] : try environments()
  }

  /// Converts each text, split at its first `=`; nil refuses it.
  ///
  /// If the elements are named, no name may be empty or repeated. A text is converted before its name is
  /// compared, so that no message shows a misplaced secret.
  func elements<Element>(
    areNamed: Bool = true, _ convert: (_ name: String, _ value: String?) -> Element?
  ) throws(SettingsFailure) -> [Element] {
    var elements: [Element] = []
    var names: Set<String> = []
    for (number, text) in zip(1..., texts) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard !areNamed || !parts[0].isEmpty,
        let element = convert(parts[0], parts.count == 2 ? parts[1] : nil)
      else {
        throw setting.isSecret
          ? SettingsFailure("\(name) takes \(setting.form); number \(number) is none")
          : wrong(text)
      }
      guard names.insert(parts[0]).inserted || !areNamed else {
        let twice = setting.isSecret ? "what number \(number) names" : parts[0]
        throw SettingsFailure("\(name) names \(twice) twice")
      }
      elements.append(element)
    }
    return elements
  }

  /// The failure for a text of the wrong form, which is quoted unless it may be a secret.
  func wrong(_ text: String) -> SettingsFailure {
    SettingsFailure(
      "\(name) takes \(setting.form)" + (setting.isSecret ? "" : ", not \(text)"))
  }
}

extension Plan {
  /// Reads `TIER/CYCLE`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let tier = Tier.allCases.first(where: { $0.rawValue == parts[0] }),
      let cycle = BillingCycle.allCases.first(where: { $0.rawValue == parts[1] })
    else { return nil }
    self.init(tier: tier, cycle: cycle)
  }
}

extension Account {
  /// Reads an identifier and a second one; either may be missing, but not both.
  init?(text: String, second: String?) {
    do {
      let ids = try [text, second ?? ""].map { $0.isBlank ? nil : try AccountID($0) }
      self.init(primaryID: ids[0], secondID: ids[1])
    } catch {
      return nil
    }
  }
}

extension BearerTokens.Entry {
  /// Reads `DIGEST` or `DIGEST@TIME`; any other text may be the token itself.
  init?(name: String, text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let digest = parts.first, digest.utf8.count == 64,
      digest.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    var end: Date?
    if parts.count == 2 {
      guard let date = try? Date(String(parts[1]), strategy: .iso8601) else { return nil }
      end = date
    }
    self.init(name: name, digest: String(digest), expires: end)
  }
}
