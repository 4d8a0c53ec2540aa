import EntitlementPolicy
import GooglePlayVerifier
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperHTTP
import StorekeeperMicroHTTPServer

// The checks of the settings of entitlements.

extension Settings {
  /// The configuration of the listener, which lets through what the routes of entitlements and orders take;
  /// each route has its own limit below.
  var configuration: ServerConfiguration {
    var configuration = server
    if parts.contains(.entitlements) {
      configuration.bodyLimit = max(configuration.bodyLimit, EntitlementAPI.bodyLimit)
    }
    if parts.contains(.orders) {
      configuration.bodyLimit = max(configuration.bodyLimit, OrderAPI.bodyLimit)
    }
    return configuration
  }

  /// Reads the product lists, of apps that are known.
  func checkedProductLists() throws(SettingsFailure) -> ProductLists {
    guard sessionKey != nil || !tokens.isEmpty else {
      throw SettingsFailure(
        "--session-key or --token is needed with --catalog: who may ask for entitlements")
    }
    for (bundleID, _) in catalogFiles
    where !apps.contains(where: { $0.bundleID.utf8.elementsEqual(bundleID.utf8) }) {
      throw SettingsFailure("--catalog names \(bundleID), which is no --app")
    }
    for bundleID in bundledApps
    where !catalogFiles.contains(where: { $0.bundleID.utf8.elementsEqual(bundleID.utf8) }) {
      throw SettingsFailure("--bundled-app names \(bundleID), which has no --catalog")
    }
    return try ProductLists(
      ProductLists.Source(
        files: catalogFiles, keyFile: catalogKeyFile, options: try entitlementOptions(),
        google: try googleCatalog()))
  }

  /// Returns the app that Google Play sells too; nil for none.
  private func googleCatalog() throws(SettingsFailure) -> (
    bundleID: String, client: GooglePlayClient
  )? {
    guard let client = google?.client else { return nil }
    let apps = catalogFiles.map(\.bundleID)
    func known(_ name: String?) -> String? {
      name.flatMap { name in apps.first { $0.utf8.elementsEqual(name.utf8) } }
    }
    guard let googleApp else {
      return (known(googlePackage) ?? (apps.count == 1 ? apps.first : nil)).map { ($0, client) }
    }
    guard let app = known(googleApp) else {
      throw SettingsFailure("--google-app names \(googleApp), which has no --catalog")
    }
    return (app, client)
  }

  /// The options of every app with a product list.
  private func entitlementOptions() throws(SettingsFailure) -> EntitlementOptions {
    do throws(EntitlementOptionsFailure) {
      // Another app counts only if both are given (entitlement rules, section 6.1).
      let multiApp = try multiAppMarker.map { marker throws(EntitlementOptionsFailure) in
        try MultiAppSubscriptions(
          bundledApplicationIDs: bundledApps, marker: marker, strategy: markerStrategy)
      }
      var options = try EntitlementOptions(
        grace: .days(graceDays), statusTTL: .days(statusTTL),
        environments: CountedEnvironments(entitlementEnvironments).with(testers),
        durations: durations, multiApp: multiApp,
        periodicValidation: validatesPeriodically)
      options.transfer = transfer
      return options
    } catch {
      throw switch error {
      case .graceOutOfRange: SettingsFailure("--grace-days takes a number from 0 to 60")
      case .statusTTLOutOfRange: SettingsFailure("--status-ttl takes a number from 1 upwards")
      case .markerEmpty: SettingsFailure("--multi-app-marker is empty")
      case .markerHasSeparator:
        SettingsFailure(
          "--multi-app-marker has a . or a _, which --marker-strategy attribute does not allow")
      case .durationOutOfRange: SettingsFailure("a duration is not allowed")
      }
    }
  }

  /// Reads the keys of statements; nil if there are none.
  func checkedStatementKeys(_ given: GivenSettings) throws(SettingsFailure) -> StatementKeyFiles? {
    guard !statementKeyFiles.isEmpty else {
      for name in ["statement-life", "statement-refresh"] {
        guard let value = given.values[name] else { continue }
        throw SettingsFailure(
          "\(value.name) does nothing without a key; \(Setting.statementKey.names) is needed")
      }
      return nil
    }
    let options: StatementOptions
    do throws(StatementOptionsFailure) {
      options = try StatementOptions(
        life: .seconds(statementLife), refresh: statementRefresh.map { .seconds($0) })
    } catch {
      throw SettingsFailure(
        "--statement-refresh takes a number from 1 to --statement-life, which is \(statementLife)")
    }
    return try StatementKeyFiles(statementKeyFiles, options: options)
  }

  /// Logs what is allowed, but hardly meant.
  func tellWarnings() {
    guard let productLists else { return }
    productLists.tellWarnings()
    if statusTTL < 14 {
      ServerLog.note(
        "status TTL is short",
        ["days": .integer(statusTTL), "recommended": .string("14 days or more")])
    }
    if bundledApps.isEmpty != (multiAppMarker == nil) {
      ServerLog.note("no app counts for another: bundledApp and multiAppMarker are both needed")
    }
  }
}
