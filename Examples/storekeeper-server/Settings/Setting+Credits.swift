import CreditPolicy
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The settings of credits, in the order of `--help`.

extension Setting {
  static let credits = [
    creditProducts, sessionKey, sessionIssuer, sessionAudience,
    Setting(
      "account-token", "ID=UUID", .list,
      form: "USER=UUID, such as u1=6b1a3c52-0c1e-4f57-9a55-0d3b1c7e9a10",
      """
      the app account token that you made for a user; a purchase with
      another one is not theirs; a list
      """, part: .credits, or: .entitlements, .orders, isSecret: true
    ) { settings, value in
      let tokens = try value.elements { name, text -> UserToken? in
        guard let text, let token = UUID(uuidString: text), let id = try? AccountID(name) else {
          return nil
        }
        return UserToken(id: id, token: token)
      }
      settings.accountTokens = Dictionary(tokens.map { ($0.id, $0.token) }) { first, _ in first }
      guard Set(settings.accountTokens.values).count == tokens.count else {
        throw SettingsFailure("\(value.name) gives two users the same token")
      }
    },
    Setting(
      "credit-environment", "NAME", .list, form: "auto, or Production or Sandbox",
      """
      whose purchases get credits: Production, Sandbox, or auto for both,
      which is the default; a list
      """, part: .credits, mayBeEmpty: true
    ) { settings, value in
      // Neither `auto` nor an empty list narrows (credit rules, sections 1 and 10).
      guard value.texts.contains(where: { !$0.isEmpty }) else { return }
      settings.creditEnvironments = try value.environmentsOrAuto()
    },
    Setting(
      "partial-refunds", "RULE", form: "whole or share",
      """
      the credits that a refund of a part of the price takes back: whole, which
      is the default, or the refunded share
      """, part: .credits
    ) { settings, value in
      guard let rule = PartialRefundRule(rawValue: value.text) else {
        throw value.wrong(value.text)
      }
      settings.partialRefunds = rule
    },
  ]

  static let creditProducts = Setting(
    "credit-products", "FILE", form: "a product mapping in YAML or JSON",
    """
    the credit packs, a product mapping in YAML or JSON; SIGHUP reads it
    again
    """, part: .credits, neededBy: .credits
  ) { $0.creditProducts = try CreditProductsFile($1.text) }

  static let sessionKey = Setting(
    "session-key", "FILE",
    form: "a file with a secret of 32 bytes or more, or a public key on P-256 in PEM",
    """
    proves the session tokens of users: the secret for HS256 (32 bytes or
    more), or the public key for ES256 (PEM); needed for credits and orders
    """, part: .credits, or: .entitlements, .orders, neededBy: .credits, isSecret: true
  ) { $0.sessionKey = try $1.sessionKey() }

  static let sessionIssuer = Setting(
    "session-issuer", "TEXT", form: "the issuer of session tokens, such as https://example.com",
    """
    the issuer (iss) that every session token must name; by default any, and
    none
    """, part: .credits, or: .entitlements, .orders
  ) { $0.sessionIssuer = $1.text }

  static let sessionAudience = Setting(
    "session-audience", "TEXT", form: "the audience of session tokens",
    """
    the audience (aud) that every session token must name, for itself or
    among others; by default any, and none
    """, part: .credits, or: .entitlements, .orders
  ) { $0.sessionAudience = $1.text }
}

/// A user and their app account token.
private struct UserToken {
  let id: AccountID
  let token: UUID
}
