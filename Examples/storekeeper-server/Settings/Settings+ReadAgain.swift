import StorekeeperHTTP

// What a signal has the server read again, whatever the other settings are by then.

extension Settings {
  /// Returns the tokens of settings that were read again.
  ///
  /// - Throws: ``SettingsFailure``.
  func tokens(of given: GivenSettings) throws -> [BearerTokens.Entry] {
    let tokens = try reading([.token], of: given) { $0.tokens = [] }.tokens
    if tokens.isEmpty, parts.contains(.subscriptions) {
      throw SettingsFailure("\(Setting.token.flag) is needed: \(Setting.token.form)")
    }
    return tokens
  }

  /// Returns the tokens of the desk of settings that were read again.
  ///
  /// - Throws: ``SettingsFailure``.
  func deskTokens(of given: GivenSettings) throws -> [BearerTokens.Entry] {
    try reading([.deskToken], of: given) { $0.desk.tokens = [] }.desk.tokens
  }

  /// Returns the files with the keys of statements of settings that were read again.
  ///
  /// - Throws: ``SettingsFailure``.
  func statementKeyFiles(of given: GivenSettings) throws -> [String] {
    try reading([.statementKey], of: given) { $0.statementKeyFiles = [] }.statementKeyFiles
  }

  /// Returns the accounts of settings that were read again.
  ///
  /// - Throws: ``SettingsFailure``.
  func hostAccounts(of given: GivenSettings) throws -> HostAccounts {
    let ofAccounts = Setting.all.filter { Setting.namesOfAccounts.contains($0.name) }
    let settings = try reading(ofAccounts, of: given) {
      $0.accounts = []
      ($0.emails, $0.languages, $0.accountTokens) = ([:], [:], [:])
    }
    if parts.contains(.subscriptions) { try settings.checkAccounts() }
    return HostAccounts(settings)
  }

  /// Returns these settings with some read again, after they were emptied.
  private func reading(
    _ some: [Setting], of given: GivenSettings, emptying empty: (inout Settings) -> Void
  ) throws -> Settings {
    var settings = self
    empty(&settings)
    for setting in some {
      try given.values[setting.name]?.read(into: &settings)
    }
    return settings
  }
}
