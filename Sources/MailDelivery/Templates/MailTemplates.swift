public import ReceiptModels

/// The templates of e-mails, by name and language.
///
/// The name of a template is the kind of its message: `link`, `unlink`, `transfer`, or a kind of the host's own. The
/// name `link-expired` is for a link to a subscription that had ended already. These four have plain templates in
/// English, which a host may replace.
///
/// A template is chosen by the language of the account. For `zh-Hans-CN`, the languages `zh-Hans-CN`, `zh-Hans` and
/// `zh` are tried in this order, then the template without a language, and at last a template of any language
/// (RFC 4647 section 3.4). Letter case does not count.
public struct MailTemplates: Sendable {
  /// The plain templates in English.
  public static let standard = MailTemplates(templates: [:])

  /// By name, then by language in lower case; "" for templates without one.
  var templates: [String: [String: MailTemplate]]

  init(templates: [String: [String: MailTemplate]]) { self.templates = templates }

  /// Sets the template of a name in a language; nil for the template of all other languages.
  public mutating func set(_ template: MailTemplate, for name: String, language: String? = nil) {
    templates[name, default: [:]][language?.lowercased() ?? ""] = template
  }

  /// The name of the template for a message.
  static func name(for message: OutboxMessage) -> String {
    message.kind == .link && message.isAlreadyExpired ? "link-expired" : message.kind.rawValue
  }

  /// Returns the template of a name in the language that comes nearest; nil if there is none of that name.
  func template(_ name: String, language: String?) -> MailTemplate? {
    let languages = templates[name] ?? [:]
    var parts = language?.lowercased().split(separator: "-") ?? []
    while !parts.isEmpty {
      if let template = languages[parts.joined(separator: "-")] { return template }
      parts.removeLast()
      // A single letter only begins an extension.
      if parts.last?.count == 1 { parts.removeLast() }
    }
    return languages[""] ?? Self.plain[name] ?? languages.min { $0.key < $1.key }?.value
  }

  /// The names of which there is a template in some language, with those of the plain ones.
  public var names: Set<String> { Set(templates.keys).union(Self.plain.keys) }

  /// The kinds of messages that are e-mails: those that have a template.
  public var kinds: Set<OutboxMessage.Kind> {
    Set(names.map { OutboxMessage.Kind(rawValue: $0) })
  }

  private static let plain: [String: MailTemplate] = {
    var templates: [String: MailTemplate] = [:]
    for (name, subject, text) in texts {
      templates[name] = try? MailTemplate(subject: subject, text: text)
    }
    return templates
  }()

  private static let texts = [
    (
      "link", "Your Apple subscription is linked to your account",
      """
      Hello,

      your Apple subscription is now linked to your account.

      Membership: {{tier}}
      Valid until: {{expireDate}} (UTC)

      If it was not you who linked it, please write to us.

      """
    ),
    (
      "link-expired", "Your Apple subscription is linked to your account, but has expired",
      """
      Hello,

      your Apple subscription is now linked to your account. It expired on
      {{expireDate}} (UTC), so it gives you nothing until you renew it in the
      App Store.

      If it was not you who linked it, please write to us.

      """
    ),
    (
      "unlink", "Your Apple subscription is no longer linked to your account",
      """
      Hello,

      your Apple subscription is no longer linked to your account, and the
      membership that came from it has ended. Apple goes on to charge you until
      you cancel it in the App Store.

      Membership: {{tier}}
      It was valid until: {{expireDate}} (UTC)

      If it was not you who unlinked it, please write to us.

      """
    ),
    (
      "transfer", "Your purchase is used with another account now",
      """
      Hello,

      somebody who is signed in to the store with the same customer account has
      used your purchase with another account of ours, so that it belongs to
      that account now, and no longer to yours.

      If it was not you, please write to us.

      """
    ),
  ]
}
