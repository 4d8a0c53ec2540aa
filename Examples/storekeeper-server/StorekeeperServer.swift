import StorekeeperMicroHTTPServer
import PurchaseStorage
import JSONValues
import SQLiteStorage
import Storekeeper
import StorekeeperHTTP

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server for the APIs of subscriptions, credits, entitlements and orders; see `storekeeper-server --help`.
@main
enum StorekeeperServer {
  static func main() async {
    SQLiteStore.omitMemoryStatistics()
    var arguments = CommandLine.arguments.dropFirst()
    let command: Command
    let settings: Settings
    let readAgain: @Sendable () throws -> GivenSettings
    do {
      command = try Command(&arguments)
      if case .digest = command { Output.exit(printDigest()) }
      let given = try GivenSettings(
        arguments: arguments, environment: ProcessInfo.processInfo.environment)
      if given.asksForHelp {
        Output.standard.write(Usage.text)
        Output.exit(EX_OK)
      }
      if given.asksForVersion {
        Output.standard.write(ServerVersion.line)
        Output.exit(EX_OK)
      }
      settings = try Settings(given)
      // One for each event loop, and one for the rest, before there is a second thread.
      Heaps.limit(to: Int32(settings.server.threads + 1))
      readAgain = { [arguments] in
        try GivenSettings(
          arguments: arguments, environment: ProcessInfo.processInfo.environment)
      }
      try command.check(settings)
    } catch {
      Output.error.write("storekeeper-server: \(error)")
      Output.exit(EX_USAGE)
    }
    do {
      switch command {
      case .serve: try await serve(settings, readAgain)
      default: try await command.run(settings)
      }
      Output.exit(EX_OK)
    } catch let failure as UnusableAddress {
      Output.error.write("storekeeper-server: \(failure)")
      Output.exit(EX_USAGE)
    } catch {
      Output.error.write("storekeeper-server: cannot \(command.verb): \(reason(error))")
      Output.exit(EX_UNAVAILABLE)
    }
  }

  /// Serves until a signal arrives, then finishes the requests that have begun.
  private static func serve(
    _ settings: Settings, _ readAgain: @escaping @Sendable () throws -> GivenSettings
  ) async throws {
    StopSignal.observe()
    let hangUp = HangUp()
    let database = try await Database.open(settings)
    let tokens = CurrentTokens(settings.tokens)
    let deskTokens = CurrentTokens.ofDesk(settings)
    let assembly = try Assembly(
      settings, database: database, tokens: tokens, deskTokens: deskTokens)
    if let levels = settings.levels {
      try await assembly.orders?.replaceLevels(with: levels.levels)
    }
    // Before the first notification arrives, which would hide the gap before it.
    try await assembly.workers.appStore?.keepPlace()
    // Before the first request, whose events a new endpoint is to hear of.
    for sender in assembly.workers.senders { try await sender.keepPlace() }
    let server = try HTTPServer(
      fitted(settings.configuration), beginning: { SQLiteStore.readingInPlace($0) },
      refused: { [log = RefusalLog()] in log.note() },
      responding: { [site = assembly.site] request in await site.respond(to: request) },
      judging: { [site = assembly.site] head in await site.judge(head) })
    // After the server's own port, so that a port in use is told of that one first.
    let figures = try settings.figures?.start(tokens)
    settings.tellUnknownVariables()
    settings.tellMissing()
    settings.creditProducts?.tellWarnings()
    settings.tellWarnings()
    settings.tellEnvironments()
    settings.tellOpenings()
    if settings.mail == nil,
      settings.parts.contains(.subscriptions) || settings.transfer != .never
    {
      ServerLog.note("e-mails wait, as no mail server is set")
    }
    try await assembly.workers.tellDisabled()
    let workers = Task { await assembly.workers.run() }
    let reloads = Task {
      [
        packs = settings.creditProducts, lists = settings.productLists, levels = settings.levels,
        orders = assembly.orders, statementKeys = settings.statementKeys, settings
      ] in
      for await _ in hangUp.requests {
        tokens.reload { try settings.tokens(of: readAgain()) }
        // A desk that began without tokens has no way to sign in with one.
        if !settings.desk.tokens.isEmpty {
          deskTokens.reload { try settings.deskTokens(of: readAgain()) }
        }
        settings.accountDirectory.reload { try settings.hostAccounts(of: readAgain()) }
        packs?.reload()
        lists?.reload()
        statementKeys?.reload { try settings.statementKeyFiles(of: readAgain()) }
        if let orders { await levels?.reload(into: orders) }
      }
    }
    let host =
      settings.server.host.contains(":") ? "[\(settings.server.host)]" : settings.server.host
    Output.standard.write("listening on http://\(host):\(server.port)")
    await StopSignal.wait()
    ServerLog.note("stopping")
    // Ten seconds more than requests get: for the workers, the connections and the database.
    Deadline.set(after: settings.server.stopTimeout + 10)
    await server.stop()
    reloads.cancel()
    workers.cancel()
    await workers.value
    // Before the figures are sent once more, for which the collector is waited for.
    await database.close()
    await figures?.stop()
    ServerLog.note("stopped")
  }

  /// Returns the configuration with no more connections than the limit of open files allows.
  ///
  /// Some files are reserved for the database and for requests to Apple.
  private static func fitted(_ configuration: ServerConfiguration) -> ServerConfiguration {
    var configuration = configuration
    // Each thread uses two descriptors to wait for its connections.
    let others = 256 + 2 * configuration.threads
    let files = OpenFileLimit.raise(to: configuration.connectionLimit + others)
    let room = max(1, files - others)
    guard room < configuration.connectionLimit else { return configuration }
    ServerLog.note(
      "fewer connections than set, as few files may be open", ["number": .integer(room)])
    configuration.connectionLimit = room
    return configuration
  }

  /// The part of an error that may be printed.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let failure as ServerFailure: "\(failure)"
    case let failure as OtherRebuild: "\(failure)"
    case let failure as OtherImport: "\(failure)"
    case let failure as ImportFileFailure: "\(failure)"
    case OrderFailure.levelsInUse: LevelsFile.reason(error)
    default: Database.refusal(error) ?? SafeText.of(error)
    }
  }

  /// Reads a token from standard input, so that it shows in no process list and no shell history.
  private static func printDigest() -> Int32 {
    guard let token = readLine(), (1...4096).contains(token.utf8.count),
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      isatty(STDIN_FILENO) == 1 || readLine() == nil,
      let digest = try? BearerTokens.digest(of: token)
    else {
      Output.error.write(
        "storekeeper-server: a token is one line of 1 to 4,096 visible ASCII characters")
      return EX_USAGE
    }
    Output.standard.write(digest)
    return 0
  }
}
