import JWSVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The access to the App Store Server API.
struct AppStoreAccess {
  let key: SigningKey
  /// The text of a UUID.
  let issuerID: String
  /// The apps, each with a client of its own.
  let bundleIDs: [String]

  /// Reads the key; nil if no setting names one.
  ///
  /// - Throws: ``SettingsFailure`` if a part is missing, or a setting does nothing without a key.
  init?(_ settings: Settings, _ given: GivenSettings) throws(SettingsFailure) {
    guard let file = settings.appStoreKeyFile, let name = given.values["app-store-key"]?.name else {
      for setting in Setting.dependentOnKey {
        guard let value = given.values[setting.name] else { continue }
        throw SettingsFailure(
          "\(value.name) does nothing without a key; \(Setting.appStoreKey.names) is needed")
      }
      return nil
    }
    guard let keyID = settings.appStoreKeyID else { throw .missing("app-store-key-id", for: name) }
    guard let issuerID = settings.appStoreIssuerID else {
      throw .missing("app-store-issuer-id", for: name)
    }
    // Only entitlements tell the apps of a developer apart.
    if settings.apps.count > 1 {
      guard settings.parts.contains(.entitlements) else {
        throw SettingsFailure("\(name) serves one app, but there are \(settings.apps.count)")
      }
      for only in ["migrate-receipts", "consumption"] {
        guard let value = given.values[only] else { continue }
        throw SettingsFailure(
          "\(value.name) serves one app, but there are \(settings.apps.count)")
      }
    }
    guard let data = FileManager.default.contents(atPath: file) else {
      throw SettingsFailure("the file of \(name) cannot be read")
    }
    do throws(SigningFailure) {
      key = try SigningKey(pem: String(decoding: data, as: UTF8.self), keyID: keyID)
    } catch {
      throw SettingsFailure(
        "the file of \(name) is no unencrypted private key on P-256 in PEM, as Apple's .p8 files are"
      )
    }
    self.issuerID = issuerID
    bundleIDs = settings.apps.map(\.bundleID)
  }
}

extension SettingsFailure {
  /// The failure for a part that the key needs.
  fileprivate static func missing(_ part: String, for name: String) -> SettingsFailure {
    let names = Setting.appStore.first { $0.name == part }.map(\.names) ?? part
    return SettingsFailure("\(names) is needed with \(name)")
  }
}

extension Setting {
  /// The flag, with the other names in parentheses.
  var names: String { "\(flag) \(otherNames)" }

  /// The variable and the key, in parentheses.
  var otherNames: String { "(or \(variable), or \(key) in the file)" }
}
