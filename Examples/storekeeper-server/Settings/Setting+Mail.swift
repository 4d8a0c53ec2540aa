import MailDelivery
import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The settings of e-mails to customers, in the order of `--help`.

extension Setting {
  static let mailSettings = [
    mail,
    Setting(
      "mail-from", "ADDRESS", form: "an e-mail address, such as Example News <news@example.com>",
      "the sender of e-mails; needed with --mail"
    ) { settings, value in
      settings.mailSender = try? MailAddress(parsing: value.text)
      guard settings.mailSender != nil else { throw value.wrong(value.text) }
    },
    mailPassword, mailPasswordFile,
    Setting(
      "mail-templates", "FOLDER", form: "a folder of templates",
      """
      the texts of e-mails: link.subject, link.txt and, if wanted,
      link.html, so for link-expired and unlink, and the same in folders by
      language, such as zh-Hans; by default plain ones in English
      """
    ) { settings, value in
      do {
        settings.mailTemplates = try MailTemplates(folder: value.text)
      } catch {
        throw SettingsFailure("\(value.name) has a mistake: \(error)")
      }
      let kinds = OutboxMessage.Kind.allCases.map(\.rawValue) + ["link-expired"]
      if let name = settings.mailTemplates.names.subtracting(kinds).min() {
        throw SettingsFailure("\(value.name) has a template \(name), but no message is called so")
      }
    },
    Setting(
      "mail-authority", "FILE", form: "a file with certificates in PEM",
      "the certificate authority of the mail server, instead of the system's"
    ) { settings, value in
      guard FileManager.default.isReadableFile(atPath: value.text) else {
        throw SettingsFailure.unreadable(value.text)
      }
      settings.mailAuthority = value.text
    },
  ]

  static let mail = Setting(
    "mail", "URL",
    form: "smtps://USER@HOST:465 or smtp://USER@HOST:587, without a password",
    """
    the mail server that takes e-mails to customers: smtps://user@host:465
    for TLS, smtp://user@host:587 for STARTTLS, which is required except on
    this machine; without it, e-mails wait
    """, isSecret: true
  ) { $0.mailURL = $1.text }

  static let mailPassword = Setting(
    "mail-password", "TEXT", form: "a password",
    """
    the password of the mail server's user; not as a flag, which others on
    the machine can read
    """, isSecret: true
  ) { settings, value in
    guard value.name != value.setting.flag else {
      throw SettingsFailure(
        "\(value.name) would show the password to others on the machine; use"
          + " \(value.setting.variable) or \(mailPasswordFile.flag)")
    }
    settings.mailPassword = value.text
  }

  static let mailPasswordFile = Setting(
    "mail-password-file", "FILE", form: "a file with a password in one line",
    "a file with that password, in one line", isSecret: true
  ) { settings, value in
    settings.mailPasswordOfFile = try value.passwordOfFile()
  }
}
