import HTTPMessages
import Storekeeper

// The settings of events, in the order of `--help`.

extension Setting {
  static let eventSettings = [
    webhook,
    webhookKey,
    Setting(
      "webhook-type", "NAME=TYPE", .list, form: "NAME=TYPE, such as billing=credits.granted",
      """
      a type of event that an endpoint wants to hear of; a list, and without
      one for an endpoint, all
      """
    ) { settings, value in
      let types = try value.elements(areNamed: false) { name, type in
        type.flatMap { text in
          let kind = PurchaseEvent.Kind(rawValue: text)
          return PurchaseEvent.Kind.allCases.contains(kind) ? (name, kind) : nil
        }
      }
      for (name, kind) in types { settings.webhookTypes[name, default: []].insert(kind) }
    },
    toggle(
      "webhook-private", \.allowsPrivateWebhooks,
      "endpoints may be on this machine or in a private network, and use http"),
    toggle(
      "event-log", \.keepsEventLog,
      "events are kept without an endpoint too, for storekeeper-server events"),
  ]

  static let money = [
    toggle(
      "money-figures", \.keepsMoneyFigures,
      """
      figures of subscriptions, revenue and credits are kept, for
      storekeeper-server report
      """)
  ]

  static let webhook = Setting(
    "webhook", "NAME=URL", .list,
    form: "NAME=URL, such as billing=https://billing.example.org/events",
    """
    an endpoint that is told of events, signed after Standard Webhooks 1.0;
    a list
    """, isSecret: true
  ) { settings, value in
    settings.webhooks = try value.elements { name, url in url.map { (name, $0) } }
  }

  static let webhookKey = Setting(
    "webhook-key", "NAME=FILE", .list, form: "NAME=FILE, with a file of keys",
    """
    a file with the keys that sign for an endpoint, one a line: whsec_… for
    HMAC, whsk_… for Ed25519; all of them sign, so that keys can rotate; a
    list, needed for each --webhook
    """, isSecret: true
  ) { settings, value in
    let files = try value.elements { name, file in file.map { (name, $0) } }
    settings.webhookKeyFiles = Dictionary(files) { first, _ in first }
  }
}

extension Settings {
  /// Whether services write events.
  var recordsEvents: Bool { keepsEventLog || !endpoints.isEmpty }

  /// Returns the endpoints with their keys.
  ///
  /// - Throws: ``SettingsFailure``, which quotes neither an address nor a key.
  func checkedEndpoints() throws(SettingsFailure) -> [WebhookEndpoint] {
    let names = Set(webhooks.map(\.0))
    for name in webhookKeyFiles.keys.sorted() where !names.contains(name) {
      throw SettingsFailure("--webhook-key names \(name), but no --webhook does")
    }
    for name in webhookTypes.keys.sorted() where !names.contains(name) {
      throw SettingsFailure("--webhook-type names \(name), but no --webhook does")
    }
    var endpoints: [WebhookEndpoint] = []
    for (name, url) in webhooks {
      guard let file = webhookKeyFiles[name] else {
        throw SettingsFailure("--webhook-key is needed for \(name): a file of keys")
      }
      let keys = try Self.webhookKeys(file, of: name)
      do throws(WebhookEndpointFailure) {
        endpoints.append(
          try WebhookEndpoint(
            name, url: url, keys: keys, kinds: webhookTypes[name],
            allowsHTTP: allowsPrivateWebhooks))
      } catch {
        throw switch error {
        case .nameInvalid:
          SettingsFailure("--webhook takes names of letters, digits, - and _, not \(name)")
        default:
          SettingsFailure(
            "the address of --webhook \(name) is none with https"
              + (allowsPrivateWebhooks ? " or http" : "; http needs --webhook-private"))
        }
      }
    }
    return endpoints
  }

  private static func webhookKeys(
    _ path: String, of name: String
  ) throws(SettingsFailure) -> [WebhookSigningKey] {
    guard let bytes = RegularFile.contents(path, limit: 8192) else {
      throw SettingsFailure("the file of --webhook-key \(name) cannot be read")
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    var keys: [WebhookSigningKey] = []
    for (number, line) in zip(1..., lines) {
      do throws(WebhookKeyFailure) {
        keys.append(try WebhookSigningKey(String(line)))
      } catch {
        throw SettingsFailure(
          "line \(number) of the file of --webhook-key \(name) is neither whsec_ nor whsk_ with a"
            + " key in base64")
      }
    }
    guard !keys.isEmpty else {
      throw SettingsFailure("the file of --webhook-key \(name) has no key")
    }
    return keys
  }
}
