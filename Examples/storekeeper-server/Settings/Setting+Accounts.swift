import ReceiptModels

// The settings of a directory of accounts, and of what the host tells of an account, in the order of
// `--help`.

extension Setting {
  static let accounts = [
    Setting(
      "accounts-url", "URL", form: "https://…, or http://… to this machine",
      """
      a directory of accounts instead of --account, which is asked at
      URL?id=… and URL?unionId=…
      """, part: .subscriptions, or: .credits, isSecret: true
    ) { settings, value in
      // A slash at the end stays, as directories may tell addresses apart by it.
      _ = try value.localURL()
      settings.accountsURL = value.text
    },
    accountsToken,
    Setting(
      "user", "ID=EMAIL", .list, form: "USER=EMAIL, such as u1=ann@example.com",
      """
      the e-mail address of a user, for mails, and of which each buys one
      starter pack; a list
      """, part: .subscriptions, or: .credits, .entitlements, isSecret: true
    ) { settings, value in
      settings.emails = try value.texts { $0.isBlank ? nil : $0 }
    },
    Setting(
      "user-language", "ID=TAG", .list, form: "USER=TAG, such as u1=zh-Hans",
      "the language of a user's mails, a BCP 47 tag; a list", part: .subscriptions
    ) { settings, value in
      settings.languages = try value.texts { LanguageTag.isOne($0) ? $0 : nil }
    },
  ]

  static let accountsToken = Setting(
    "accounts-token", "TEXT", form: "a bearer token of visible ASCII characters",
    """
    the bearer token that the directory is sent; better not as a flag,
    which others on the machine can read
    """, part: .subscriptions, or: .credits, isSecret: true
  ) { $0.accountsToken = try $1.bearerToken() }
}

extension GivenValue {
  /// A token that a header field can hold.
  func bearerToken() throws(SettingsFailure) -> String {
    guard (1...4096).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw wrong(text) }
    return text
  }

  /// Texts of accounts, of which each is converted; nil refuses it.
  fileprivate func texts(_ convert: (String) -> String?) throws -> [AccountID: String] {
    let users = try elements { name, text -> UserText? in
      guard let text = text.flatMap(convert), let id = try? AccountID(name) else { return nil }
      return UserText(id: id, text: text)
    }
    return Dictionary(users.map { ($0.id, $0.text) }) { first, _ in first }
  }
}

/// A user and a text of theirs.
private struct UserText {
  let id: AccountID
  let text: String
}
