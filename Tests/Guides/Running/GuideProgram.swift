import Foundation
import Synchronization

/// A page of the documentation whose code is run.
protocol Page: Sendable {
  /// Runs the page's blocks.
  static func run() async throws
}

/// The program that runs the code of the guides.
@main
struct GuideProgram {
  static let pages: [any Page.Type] = [
    ReadmePage.self, GettingStartedPage.self, OwningSubscriptionsPage.self,
    SellingCreditsPage.self, WhoMayUseWhatPage.self, TwoStoresOneOrderPage.self,
    VerifyingSignedDataPage.self, ReceivingNotificationsPage.self,
    TestingYourCodePage.self, EmbedInHummingbirdPage.self, AskingTheAppStorePage.self,
    AppStoreSimulatorPage.self, VerifyingReceiptsPage.self, TwoContractsPage.self,
    OperatingPage.self,
  ]

  static func main() async {
    for page in pages {
      let before = Claims.all.withLock { $0 }
      do {
        try await page.run()
      } catch {
        Claims.refuse("\(page): \(error)")
      }
      let after = Claims.all.withLock { $0 }
      Swift.print("\(page): \(after.held - before.held) claims hold")
    }
    exit(Claims.all.withLock { $0.refused } == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
  }
}

/// Prints nothing in place of what the guides print.
func print(_ items: Any...) {}

/// The claims of the guides.
enum Claims {
  struct Count {
    var held = 0
    var refused = 0
  }

  static let all = Mutex(Count())

  /// Checks that work makes a number of claims, as one of a refusal that does not come makes none.
  static func expect(_ number: Int, _ work: () async throws -> Void) async throws {
    let before = all.withLock { $0.held }
    try await work()
    let made = all.withLock { $0.held } - before
    if made < number { refuse("\(made) of \(number) claims hold") }
  }

  static func refuse(_ text: String) {
    all.withLock { $0.refused += 1 }
    Swift.print(text)
  }
}

/// Checks that something holds.
func expect(_ holds: Bool, file: String = #filePath, line: Int = #line) {
  guard holds else { return Claims.refuse("\(file):\(line): is not so") }
  Claims.all.withLock { $0.held += 1 }
}

/// Checks that work throws an error of a type.
func expect<Failure: Error, Value>(
  throws type: Failure.Type, file: String = #filePath, line: Int = #line,
  _ work: () async throws -> Value
) async {
  do {
    _ = try await work()
  } catch is Failure {
    return Claims.all.withLock { $0.held += 1 }
  } catch {}
  Claims.refuse("\(file):\(line): does not throw \(type)")
}

/// Checks that a value is the one in a comment.
func claim<Value: Equatable>(
  _ found: Value, _ claimed: Value, file: String = #filePath, line: Int = #line
) {
  guard found == claimed else {
    return Claims.refuse("\(file):\(line): is \(found), not \(claimed)")
  }
  Claims.all.withLock { $0.held += 1 }
}

/// Runs work in a folder of its own, in which relative paths begin.
func inNewFolder(_ work: () async throws -> Void) async throws {
  let manager = FileManager.default
  let (before, folder) = (
    manager.currentDirectoryPath, manager.temporaryDirectory.appending(path: UUID().uuidString)
  )
  try manager.createDirectory(at: folder, withIntermediateDirectories: true)
  manager.changeCurrentDirectoryPath(folder.path)
  defer {
    manager.changeCurrentDirectoryPath(before)
    try? manager.removeItem(at: folder)
  }
  try await work()
}

extension GuideProgram {
  /// Writes a file in the present folder, and returns its place.
  static func file(_ name: String, _ text: String) throws -> URL {
    let url = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: name)
    try Data(text.utf8).write(to: url)
    return url
  }
}
