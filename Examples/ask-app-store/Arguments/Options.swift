import AppStoreServerAPI
import CurlTransport
import JWSVerifier
import ReceiptModels

struct Options {
  var key: SigningKey
  var issuerID: String
  var app: App
  var roots: [TrustAnchor]
  var configuration = AppStoreServerClient.Configuration()

  /// The options that every call takes.
  static let names: Set<String> = [
    "--production-url", "--sandbox-url", "--allow-http", "--environment", "--key", "--key-id",
    "--issuer-id", "--bundle-id", "--app-apple-id", "--root", "--patience",
  ]

  init(_ arguments: Arguments) throws(UsageFailure) {
    let file = try arguments.required("--key")
    let keyID = try arguments.required("--key-id")
    issuerID = try arguments.required("--issuer-id")
    let bundleID = try arguments.required("--bundle-id")
    let appAppleID = try arguments.integer("--app-apple-id")
    guard (appAppleID ?? 0) >= 0 else { throw UsageFailure("--app-apple-id takes a number") }
    app = App(bundleID: bundleID, appAppleID: appAppleID)
    roots = []
    for path in arguments.all("--root") { roots.append(try Self.anchor(in: path)) }
    key = try Self.key(in: file, id: keyID)
    configuration.allowsHTTP = arguments.has("--allow-http")
    configuration.server = try Self.server(arguments)
    for (option, environment) in Self.urlOptions {
      guard let url = try arguments.value(option) else { continue }
      configuration.urls[environment] = url.hasSuffix("/") ? String(url.dropLast()) : url
    }
    guard let patience = try arguments.value("--patience") else { return }
    guard let seconds = Double(patience), seconds > 0, seconds <= 86_400 else {
      throw UsageFailure("--patience takes a number of seconds, more than 0, at most 86400")
    }
    configuration.patience = .seconds(seconds)
  }

  /// A client that asks as the options say.
  var client: AppStoreServerClient {
    get throws(UsageFailure) {
      let verifier = try verifier
      do throws(AppStoreServerClient.ConfigurationFailure) {
        return try AppStoreServerClient(
          key: key, issuerID: issuerID, bundleID: app.bundleID, verifier: verifier,
          transport: CurlHTTPTransport(), configuration: configuration)
      } catch .issuerNotUUID {
        throw UsageFailure("--issuer-id takes a UUID")
      } catch .malformedURL(let environment) {
        let option = Self.urlOptions.first { $0.environment == environment }?.option ?? "the URL"
        let hint = configuration.allowsHTTP ? "" : ", or http with --allow-http"
        throw UsageFailure("\(option) takes an address that begins with https\(hint)")
      } catch {
        throw UsageFailure("\(error)")
      }
    }
  }

  private var verifier: SignedDataVerifier {
    get throws(UsageFailure) {
      let environments: Set<AppStoreEnvironment> =
        switch configuration.server {
        case .production: [.production]
        case .sandbox: [.sandbox]
        case .auto: .auto
        }
      do throws(SignedDataVerifier.ConfigurationFailure) {
        return try SignedDataVerifier(
          apps: [app], environments: environments,
          trustAnchors: roots.isEmpty ? [.appleRootCAG3] : roots)
      } catch .missingAppAppleID {
        throw UsageFailure("--app-apple-id is needed, except with --environment sandbox")
      } catch {
        throw UsageFailure("\(error)")
      }
    }
  }

  // MARK: Values

  private static let urlOptions: [(option: String, environment: AppStoreEnvironment)] = [
    ("--production-url", .production), ("--sandbox-url", .sandbox),
  ]

  private static func server(
    _ arguments: Arguments
  ) throws(UsageFailure) -> AppStoreServerClient.Server {
    switch try arguments.value("--environment") {
    case "production": .production
    case "sandbox": .sandbox
    case "auto", nil: .auto
    default: throw UsageFailure("--environment takes one of production, sandbox, auto")
    }
  }

  private static func key(in path: String, id: String) throws(UsageFailure) -> SigningKey {
    let pem = String(decoding: try Contents.ofFile(path), as: UTF8.self)
    do throws(SigningFailure) {
      return try SigningKey(pem: pem, keyID: id)
    } catch {
      throw UsageFailure("--key: \(path) is no key of the App Store: \(error)")
    }
  }

  private static func anchor(in path: String) throws(UsageFailure) -> TrustAnchor {
    let certificate = try Contents.ofFile(path)
    do throws(TrustAnchor.Failure) {
      return try TrustAnchor(certificate: certificate)
    } catch {
      throw UsageFailure("--root: \(path) is no trust anchor: \(error)")
    }
  }
}
