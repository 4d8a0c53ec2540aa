import Foundation

/// A test of stores when processes and servers die; see ``usage``.
@main
struct CrashTest {
  static let usage = """
    usage: storekeeper-crash-test kill STORE COUNT                kills a worker COUNT times; checks each time
           storekeeper-crash-test restart CONTROL FOLDER COUNT    crashes a server under a worker
           storekeeper-crash-test race STORE PROCESSES COUNT      COUNT accounts link one subscription at once
           storekeeper-crash-test senders STORE COUNT             kills a sender of events COUNT times
           storekeeper-crash-test work STORE NUMBER               a worker, until it is killed
           storekeeper-crash-test send STORE NUMBER               a sender, until it is killed
           storekeeper-crash-test claim STORE ID FIRST COUNT      a part of a race
    STORE is a file of SQLite, a connection string of PostgreSQL, or a URL of MariaDB.
    """

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.map { Int($0) ?? 0 }
    let isRight: Bool
    switch (arguments.first, arguments.count) {
    case ("kill", 3):
      isRight = try await KillTest(store: arguments[1], kills: numbers[2]).run()
    case ("restart", 4):
      isRight = try await RestartTest(
        control: arguments[1], folder: arguments[2], restarts: numbers[3]
      ).run()
    case ("race", 4):
      isRight = try await RaceTest(
        store: arguments[1], processes: numbers[2], accounts: numbers[3]
      ).run()
    case ("senders", 3):
      isRight = try await SendTest(store: arguments[1], kills: numbers[2]).run()
    case ("send", 3):
      try await SendTest.send(arguments[1], number: numbers[2])
      return
    case ("work", 3):
      try await Worker(store: arguments[1], number: numbers[2]).work()
      return
    case ("claim", 5):
      try await RaceTest.claim(
        store: arguments[1], id: arguments[2], first: numbers[3], count: numbers[4])
      return
    default:
      print(usage)
      isRight = false
    }
    exit(isRight ? 0 : 1)
  }
}
