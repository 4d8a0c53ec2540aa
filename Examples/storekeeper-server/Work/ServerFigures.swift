import CurlTransport
import HTTPMessages
import JSONValues
import Storekeeper
import StorekeeperHTTP
import StorekeeperMicroHTTPServer
import StorekeeperTelemetry

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The figures of the server, and who gets them: whoever asks at an address of their own, and a collector.
///
/// Figures have an address of their own, because the one of the APIs is meant for the world: a rule of a proxy that is
/// forgotten would show how much is sold.
struct ServerFigures: Sendable {
  let registry: MetricsRegistry
  /// Nil without a collector.
  let exporter: OTLPExporter?
  private let address: MetricsAddress?

  /// Creates the figures; nil if nobody wants any.
  ///
  /// - Throws: ``SettingsFailure`` for a setting that does nothing.
  init?(_ settings: Settings, _ given: GivenSettings) throws {
    if settings.otlpURL == nil {
      for name in ["otlp-token", "otlp-share", "trust-traceparent"] {
        guard let value = given.values[name] else { continue }
        throw SettingsFailure("\(value.name) does nothing without a collector; --otlp is needed")
      }
    }
    guard settings.metrics != nil || settings.otlpURL != nil else { return nil }
    address = settings.metrics
    let registry = MetricsRegistry(version: ServerVersion.number)
    self.registry = registry
    exporter = try settings.otlpURL.map { url in
      var configuration = OTLPExporter.Configuration()
      configuration.serviceVersion = ServerVersion.number
      configuration.share = Double(settings.otlpShare) / 100
      configuration.report = { Self.log($0, $1) }
      if let token = settings.otlpToken {
        try configuration.headers.set("Bearer \(token)", for: .authorization)
      }
      return OTLPExporter(
        url, transport: CurlHTTPTransport(), figures: registry, configuration: configuration)
    }
  }

  /// The port that services tell.
  var port: any Telemetry {
    guard let exporter else { return registry }
    return TelemetryGroup([registry, exporter])
  }

  /// Logs what the collector does with our messages, whenever that changes.
  private static func log(_ content: OTLPContent, _ delivery: OTLPDelivery) {
    var members: [(String, JSONValue)] = [("content", .string(content.rawValue))]
    switch delivery {
    case .taken: break
    case .partlyTaken(let rejected): members.append(("rejected", .integer(rejected)))
    case .postponed(let status):
      if let status { members.append(("status", .integer(status.code))) }
    case .refused(let status): members.append(("status", .integer(status.code)))
    @unknown default: break
    }
    ServerLog.note("collector \(delivery.word)", members)
  }

  /// Notes, every few seconds, when the first of the tokens ends that have not ended yet.
  private func watch(_ tokens: CurrentTokens) async {
    while (try? await Task.sleep(for: .seconds(5))) != nil { note(tokens) }
  }

  private func note(_ tokens: CurrentTokens) {
    registry.noted(.end(.token, tokens.firstEnd(after: Date())))
  }

  /// Begins to answer and to send.
  ///
  /// - Throws: An error if the address cannot be used.
  func start(_ tokens: CurrentTokens) throws -> Running {
    note(tokens)
    let server = try address.map { address in
      var configuration = ServerConfiguration()
      (configuration.host, configuration.port) = (address.host, address.port)
      (configuration.threads, configuration.connectionLimit) = (1, 64)
      let server = try HTTPServer(
        configuration, responding: { [registry] in Self.answer(to: $0, registry) },
        judging: { [registry] in .answer(Self.answer(to: $0, registry)) })
      let host = address.host.contains(":") ? "[\(address.host)]" : address.host
      ServerLog.note(
        "figures", ["url": .string("http://\(host):\(server.port)/metrics")])
      return server
    }
    return Running(
      server: server, watch: Task { await watch(tokens) },
      exports: Task { [exporter] in await exporter?.run() })
  }

  /// What runs, until it is stopped.
  struct Running: Sendable {
    fileprivate let server: HTTPServer?
    fileprivate let watch: Task<Void, Never>
    fileprivate let exports: Task<Void, Never>

    /// Stops to answer, and sends once more.
    func stop() async {
      watch.cancel()
      exports.cancel()
      await exports.value
      await server?.stop()
    }
  }

  private static func answer(
    to request: HTTPRequestMessage, _ registry: MetricsRegistry
  ) -> HTTPResponseMessage {
    guard request.path.elementsEqual("/metrics".utf8) else {
      return HTTPResponseMessage(status: .notFound)
    }
    return registry.answer(to: request)
  }
}

extension OTLPDelivery {
  /// The word for the log.
  fileprivate var word: String {
    switch self {
    case .taken: "takes"
    case .partlyTaken: "takes a part"
    case .postponed: "away"
    case .refused: "refuses"
    @unknown default: "other"
    }
  }
}

/// The version of the server.
enum ServerVersion {
  /// The package has no released version yet.
  static let number = "0.0.0"
  static let line = "storekeeper-server \(number)"
}

extension Settings {
  /// Logs variables that look like settings and are none: a misspelt one changes nothing, which nobody would notice.
  func tellUnknownVariables() {
    for variable in unknownVariables {
      ServerLog.note("unknown variable", ["name": .string(variable)])
    }
  }

  /// Logs secrets without which a part of the server does less than is meant, most likely.
  func tellMissing() {
    if parts.contains(.subscriptions), sharedSecrets.isEmpty {
      ServerLog.note(
        "sharedSecret is not set: Apple answers 21004 about receipts of subscriptions,"
          + " and notifications of version 1 are refused")
    }
    if appStoreAccess == nil, !parts.isDisjoint(with: [.subscriptions, .entitlements, .credits]) {
      ServerLog.note(
        "appStoreKey is not set: notifications that do not arrive are not recovered,"
          + " and Apple is asked about receipts only")
    }
  }
}
