import ReceiptModels
import Storekeeper

// The settings of forwarding, in the order of `--help`.

extension Setting {
  static let forwarding = [
    Setting(
      "forward", "NAME=URL", .list,
      form: "NAME=URL, such as staging=https://staging.example.org/webhook/apple",
      """
      a server to which the stores' notifications are forwarded as they came,
      once they are recorded; a list
      """, isSecret: true
    ) { settings, value in
      settings.forwards = try value.elements { name, url in url.map { (name, $0) } }
    },
    Setting(
      "forward-only", "NAME=KIND", .list,
      form: "NAME=apple, NAME=google, NAME=production or NAME=sandbox",
      """
      apple, google, production or sandbox: what that server gets; a list, and
      without one for a server, all. Google does not tell the environment
      """
    ) { settings, value in
      settings.forwardFilters = try value.elements(areNamed: false) { name, kind in
        kind.flatMap(ForwardFilter.init(rawValue:)).map { (name, $0) }
      }
    },
  ]
}

/// What a server gets of the notifications.
enum ForwardFilter: String {
  case apple, google, production, sandbox
}

extension Settings {
  /// Returns the servers to which notifications are forwarded.
  ///
  /// - Throws: ``SettingsFailure``, which quotes no address.
  func checkedForwards() throws(SettingsFailure) -> [ForwardTarget] {
    let names = Set(forwards.map(\.0))
    for (name, _) in forwardFilters where !names.contains(name) {
      throw SettingsFailure("--forward-only names \(name), but no --forward does")
    }
    var targets: [ForwardTarget] = []
    for (name, url) in forwards {
      guard !endpoints.contains(where: { $0.name == name }) else {
        throw SettingsFailure(
          "--webhook and --forward both have the name \(name), of which commands could mean either")
      }
      do throws(WebhookEndpointFailure) {
        var target = try ForwardTarget(name, url: url, allowsHTTP: allowsPrivateWebhooks)
        for (_, filter) in forwardFilters.filter({ $0.0 == name }) { target.narrow(to: filter) }
        targets.append(target)
      } catch {
        throw switch error {
        case .nameInvalid:
          SettingsFailure("--forward takes names of letters, digits, - and _, not \(name)")
        default:
          SettingsFailure(
            "the address of --forward \(name) is none with https"
              + (allowsPrivateWebhooks ? " or http" : "; http needs --webhook-private"))
        }
      }
    }
    return targets
  }
}

extension ForwardTarget {
  fileprivate mutating func narrow(to filter: ForwardFilter) {
    switch filter {
    case .apple: vendors = (vendors ?? []).union([.apple])
    case .google: vendors = (vendors ?? []).union([.google])
    case .production: environments = (environments ?? []).union([.production])
    case .sandbox: environments = (environments ?? []).union([.sandbox])
    }
  }
}
