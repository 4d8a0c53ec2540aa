/// A setting of the server: its names, the form of its values, and the step that reads it.
///
/// All settings stand in one table, ``all``; flags, variables, keys of the file and `--help` follow
/// from it.
struct Setting: Sendable {
  /// The number of texts that a setting takes.
  enum Kind {
    case single, list, toggle
  }

  /// A part of the server; only those are served whose products are given.
  enum Part {
    /// All that the parts have in common.
    case server
    case subscriptions, credits, entitlements, orders
  }

  let name: String
  /// The stand-in for a value in `--help`; empty for a toggle.
  let placeholder: String
  let kind: Kind
  /// The form of a value, for messages.
  let form: String
  /// The description in `--help`, in lines of at most 72 characters.
  let help: String
  /// The parts that use it, of which messages name the first.
  let parts: [Part]
  /// The part that needs it; nil if none does.
  let neededBy: Part?
  /// Whether an empty list is a value.
  let mayBeEmpty: Bool
  /// Whether no message may quote a value.
  let isSecret: Bool
  /// Reads the value into the settings of the server.
  let read: @Sendable (inout Settings, GivenValue) throws -> Void

  init(
    _ name: String, _ placeholder: String = "", _ kind: Kind = .single, form: String,
    _ help: String, part: Part = .server, or otherParts: Part..., neededBy: Part? = nil,
    mayBeEmpty: Bool = false,
    isSecret: Bool = false,
    read: @escaping @Sendable (inout Settings, GivenValue) throws -> Void
  ) {
    self.name = name
    self.placeholder = placeholder
    self.kind = kind
    self.form = form
    self.help = help
    parts = [part] + otherParts
    self.neededBy = neededBy
    self.mayBeEmpty = mayBeEmpty
    self.isSecret = isSecret
    self.read = read
  }

  /// The flag, such as `--app-store-url`.
  var flag: String { "--\(name)" }

  /// The variable of the environment, such as `STOREKEEPER_APP_STORE_URL`.
  var variable: String {
    "STOREKEEPER_" + name.uppercased().split(separator: "-").joined(separator: "_")
  }

  /// The key in the file, such as `appStoreUrl`.
  var key: String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(into: String(words[0])) { key, word in
      key += word == "ttl" ? "TTL" : word.prefix(1).uppercased() + word.dropFirst()
    }
  }
}
