import ReceiptModels

// The settings of credits, in the order of `--help`.

extension Setting {
  static let credits = [
    creditProducts, sessionKey,
    Setting(
      "user", "ID=EMAIL", .list, form: "USER=EMAIL, such as u1=ann@example.com",
      """
      the e-mail address of a user, of which each buys one starter pack;
      a list
      """, part: .credits, isSecret: true
    ) { settings, value in
      let users = try value.elements { name, email -> UserEmail? in
        guard let email, !email.isBlank, let id = try? AccountID(name) else { return nil }
        return UserEmail(id: id, email: email)
      }
      settings.emails = Dictionary(users.map { ($0.id, $0.email) }) { first, _ in first }
    },
    Setting(
      "credit-environment", "NAME", .list, form: "Production or Sandbox",
      """
      whose purchases get credits: Production, Sandbox, by default both; a
      list
      """, part: .credits, mayBeEmpty: true
    ) { settings, value in
      // An empty list does not narrow (credit rules, section 10).
      let environments = try value.texts.filter { !$0.isEmpty }.isEmpty ? nil : value.environments()
      if let environments { settings.creditEnvironments = environments }
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
    more), or the public key for ES256 (PEM); needed for credits
    """, part: .credits, neededBy: .credits, isSecret: true
  ) { $0.sessionKey = try $1.sessionKey() }
}

/// A user and their e-mail address.
private struct UserEmail {
  let id: AccountID
  let email: String
}
