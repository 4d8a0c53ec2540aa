import MailDelivery

/// The access to a mail server.
struct MailAccess {
  let server: MailServer
  let sender: MailAddress
  let templates: MailTemplates

  /// Reads the settings of e-mails; nil if none names a server.
  ///
  /// - Throws: ``SettingsFailure`` if a part is missing or wrong, or a setting does nothing without a server.
  init?(_ settings: Settings, _ given: GivenSettings) throws(SettingsFailure) {
    guard let url = settings.mailURL, let name = given.values[Setting.mail.name]?.name else {
      for setting in Setting.mailSettings {
        guard let value = given.values[setting.name] else { continue }
        throw SettingsFailure(
          "\(value.name) does nothing without a mail server; \(Setting.mail.names) is needed")
      }
      return nil
    }
    guard let sender = settings.mailSender else {
      throw SettingsFailure("--mail-from is needed with \(name): who writes")
    }
    guard settings.mailPassword == nil || settings.mailPasswordOfFile == nil else {
      throw SettingsFailure(
        "mail-password does nothing where --mail-password-file is given; leave out one of them")
    }
    do throws(MailServer.Failure) {
      var server = try MailServer(
        url: url, password: settings.mailPassword ?? settings.mailPasswordOfFile)
      server.certificateAuthorityFile = settings.mailAuthority
      self.server = server
    } catch {
      throw SettingsFailure(error.text(name))
    }
    self.sender = sender
    templates = settings.mailTemplates
  }
}

extension MailServer.Failure {
  /// The message, which quotes nothing, as a password may be in the wrong place.
  fileprivate func text(_ name: String) -> String {
    switch self {
    case .malformedURL, .malformedHost, .encryptionRequired:
      "\(name) takes \(Setting.mail.form)"
    case .loginIncomplete:
      "\(name) needs a user with a password: \(Setting.mailPasswordFile.flag) or"
        + " \(Setting.mailPassword.variable); or neither"
    case .malformedLogin: "the password for \(name) has a control character"
    @unknown default: "\(name) cannot be used"
    }
  }
}
