import JWSVerifier
import ReceiptModels

enum TokenCheck {
  case signed(SignedDataVerifier, Options.Kind)
  case local(LocalTestDataReader, Options.Kind)

  init(_ options: Options, _ app: App) throws {
    let environment = options.environment ?? (app.appAppleID == nil ? .sandbox : .auto)
    switch environment {
    case .production: self = try .signed(options.verifier(app, [.production]), options.kind)
    case .sandbox: self = try .signed(options.verifier(app, [.sandbox]), options.kind)
    case .auto: self = try .signed(options.verifier(app, .auto), options.kind)
    case .xcode: self = .local(options.reader(.xcode, app), options.kind)
    case .localTesting: self = .local(options.reader(.localTesting, app), options.kind)
    }
  }

  func report(on token: String) -> TokenReport {
    do throws(SignedDataFailure) {
      switch self {
      case .signed(let verifier, let kind): return try Self.report(token, verifier, kind)
      case .local(let reader, let kind): return try Self.report(token, reader, kind)
      }
    } catch {
      return TokenReport(error)
    }
  }

  private static func report(
    _ token: String, _ verifier: SignedDataVerifier, _ kind: Options.Kind
  ) throws(SignedDataFailure) -> TokenReport {
    switch kind {
    case .transaction: TokenReport(try verifier.transaction(token))
    case .renewal: TokenReport(try verifier.renewalInfo(token))
    case .notification: TokenReport(try verifier.notification(token))
    case .appTransaction: TokenReport(try verifier.appTransaction(token))
    case .realtime: TokenReport(try verifier.realtimeRequest(token))
    }
  }

  private static func report(
    _ token: String, _ reader: LocalTestDataReader, _ kind: Options.Kind
  ) throws(SignedDataFailure) -> TokenReport {
    switch kind {
    case .transaction:
      let data = try reader.transaction(token)
      return TokenReport(data, signedDate: data.payload.signedDate)
    case .renewal:
      let data = try reader.renewalInfo(token)
      return TokenReport(data, signedDate: data.payload.signedDate)
    case .notification:
      let data = try reader.notification(token)
      return TokenReport(data, signedDate: data.payload.signedDate)
    case .appTransaction:
      let data = try reader.appTransaction(token)
      return TokenReport(data, signedDate: data.payload.receiptCreationDate)
    case .realtime:
      let data = try reader.realtimeRequest(token)
      return TokenReport(data, signedDate: data.payload.signedDate)
    }
  }
}

extension Options {
  fileprivate func verifier(
    _ app: App, _ environments: Set<AppStoreEnvironment>
  ) throws -> SignedDataVerifier {
    var configuration = SignedDataVerifier.Configuration()
    configuration.clockPolicy = clock
    do throws(SignedDataVerifier.ConfigurationFailure) {
      return try SignedDataVerifier(
        apps: [app], environments: environments,
        trustAnchors: roots.isEmpty ? [.appleRootCAG3] : roots, configuration: configuration)
    } catch .missingAppAppleID {
      throw UsageFailure(message: "production needs --app-apple-id")
    } catch {
      throw UsageFailure(message: "\(error)")
    }
  }

  fileprivate func reader(_ environment: LocalEnvironment, _ app: App) -> LocalTestDataReader {
    LocalTestDataReader(environment: environment, bundleIDs: [app.bundleID])
  }
}
