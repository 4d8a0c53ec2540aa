import CurlTransport
import Foundation
import HTTPMessages
import StorekeeperMicroHTTPServer
import StorekeeperSimulatorControl

/// A program that serves a simulated App Store and a simulated Play store on the local machine.
@main
enum AppStoreSimulatorProgram {
  static func main() async {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst(), now: Date())
    } catch {
      let message = (error as? Options.UsageFailure)?.message ?? "\(error)"
      write("app-store-simulator: \(message)\n\n\(Options.usage)", to: .standardError)
      exit(2)
    }
    guard !options.isHelp else { return write(Options.usage, to: .standardOutput) }
    do {
      try await serve(options)
    } catch {
      write("app-store-simulator: \(error)\n", to: .standardError)
      exit(1)
    }
  }

  private static func serve(_ options: Options) async throws {
    StopSignal.observe()
    let service = try SimulatorService(options.configuration, transport: CurlHTTPTransport())
    if let file = options.keyFile { try writeKey(Array(service.serverAPIKeyPEM.utf8), to: file) }
    var configuration = ServerConfiguration()
    configuration.port = options.port
    configuration.bodyLimit = SimulatorService.bodyLimit
    // A request that waits longer for the webhook is answered with 503.
    configuration.stopTimeout = 5
    let server = try HTTPServer(configuration) { request in await service.respond(to: request) }
    if let file = options.playKeyFile,
      let key = service.serviceAccountKeyFile(address: "http://127.0.0.1:\(server.port)")
    {
      try writeKey(key, to: file)
    }
    let pushing = Task {
      // What happens by itself is told within a second.
      while !Task.isCancelled {
        await service.pushDueNotifications()
        try? await Task.sleep(for: .seconds(1))
      }
    }
    write("listening on http://127.0.0.1:\(server.port)\n", to: .standardOutput)
    await StopSignal.wait()
    pushing.cancel()
    await server.stop()
  }

  /// Writes a key that only the user who runs the program may read, like one of Apple or Google.
  private static func writeKey(_ key: [UInt8], to file: String) throws {
    guard
      FileManager.default.createFile(
        atPath: file, contents: Data(key), attributes: [.posixPermissions: 0o600])
    else { throw KeyFileFailure(path: file) }
  }

  /// The file for the key could not be written.
  private struct KeyFileFailure: Error, CustomStringConvertible {
    let path: String
    var description: String { "the key could not be written to \(path)" }
  }

  private static func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }
}
