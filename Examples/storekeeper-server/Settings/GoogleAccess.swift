import CurlTransport
import GooglePlayVerifier
import ReceiptModels
import Storekeeper

/// The access to Google Play.
struct GoogleAccess {
  let client: GooglePlayClient
  /// The verifier of pushed notifications; nil if none are received.
  let pushes: PushTokenVerifier?

  /// Reads the account; nil if no setting names one.
  ///
  /// - Throws: ``SettingsFailure`` if a part is missing or wrong.
  init?(_ settings: Settings) throws(SettingsFailure) {
    guard let file = settings.googleServiceAccountFile else {
      guard settings.googlePackage == nil, settings.googleApp == nil,
        settings.googlePushAudience == nil, settings.googleVoidedInterval == nil,
        settings.refundReview == nil
      else {
        throw SettingsFailure(
          "--google-package, --google-app, --google-push-audience, --google-voided-interval and"
            + " --google-refund-review do nothing without an account;"
            + " --google-service-account is needed")
      }
      return nil
    }
    guard let package = settings.googlePackage else {
      throw SettingsFailure("--google-package is needed with --google-service-account")
    }
    guard let bytes = RegularFile.contents(file, limit: GoogleServiceAccount.maximumSize + 1) else {
      throw SettingsFailure("the file of --google-service-account cannot be read")
    }
    let allowsHTTP = settings.allowsTestRoot
    do {
      let account = try GoogleServiceAccount(keyFile: bytes, allowsHTTP: allowsHTTP)
      var configuration = GooglePlayClient.Configuration()
      configuration.allowsHTTP = allowsHTTP
      configuration.now = settings.now
      if let url = settings.googlePlayURL { configuration.url = url }
      client = try GooglePlayClient(
        packageName: package,
        tokens: AccessTokenSource(
          account: account,
          transport: WatchedTransport(
            .access, of: .google, appID: package, telemetry: settings.figures?.port)),
        transport: WatchedTransport(
          .api, of: .google, appID: package, telemetry: settings.figures?.port),
        configuration: configuration)
      pushes = try Self.pushes(settings)
    } catch let failure as ServiceAccountFailure {
      throw SettingsFailure("the file of --google-service-account is none: \(failure)")
    } catch let failure as SettingsFailure {
      throw failure
    } catch {
      throw SettingsFailure("the settings of Google Play are wrong: \(error)")
    }
  }

  private static func pushes(
    _ settings: Settings
  ) throws -> PushTokenVerifier? {
    guard let audience = settings.googlePushAudience else {
      guard settings.googlePushEmail == nil else {
        throw SettingsFailure("--google-push-email does nothing without --google-push-audience")
      }
      return nil
    }
    guard let email = settings.googlePushEmail else {
      throw SettingsFailure("--google-push-email is needed with --google-push-audience")
    }
    var configuration = PushTokenVerifier.Configuration(audience: audience, email: email)
    configuration.allowsHTTP = settings.allowsTestRoot
    if let url = settings.googlePlayURL { configuration.keysURL = url + "/oauth2/v3/certs" }
    return try PushTokenVerifier(
      configuration: configuration,
      transport: ObservedTransport(
        CurlHTTPTransport(), asking: .google, telemetry: settings.figures?.port))
  }
}
