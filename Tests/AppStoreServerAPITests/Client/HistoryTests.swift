import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import Testing

@Suite("Pages of transactions") struct HistoryTests {
  private static let url = "https://api.storekit-sandbox.apple.com/inApps/v2/history/1"

  /// A page.
  private static func page(
    _ tokens: [String], _ revision: String?, hasMore: Bool = true
  ) -> ScriptedAnswer {
    let list = tokens.map { #""\#($0)""# }.joined(separator: ",")
    let revision = revision.map { #""revision":"\#($0)","# } ?? ""
    return .status(200, #"{\#(revision)"hasMore":\#(hasMore),"signedTransactions":[\#(list)]}"#)
  }

  private static func page(_ revision: String?, hasMore: Bool = true) -> ScriptedAnswer {
    page([], revision, hasMore: hasMore)
  }

  /// A transaction that was signed some seconds after the scene's first.
  private static func token(_ id: String, _ seconds: Int = 0) throws -> String {
    try SignedTokens.transaction(id, ["signedDate": SignedTokens.date(-60_000 + seconds * 1000)])
  }

  @Test("Each page repeats the filters and has the revision of the page before")
  func filters() async throws {
    let scene = try ClientScene([
      Self.page("r1"), Self.page("r+2"), Self.page("r3", hasMore: false),
    ])
    var request = TransactionHistoryRequest()
    request.productIDs = ["a", "b"]
    request.revoked = true
    let all = try await scene.client.transactionHistory(of: "1", matching: request, in: .sandbox)
      .all()
    let filters = "productId=a&productId=b&revoked=true"
    #expect(
      scene.requests.map(\.url) == [
        Self.url + "?" + filters, Self.url + "?revision=r1&" + filters,
        Self.url + "?revision=r%2B2&" + filters,
      ])
    #expect(all.pages == 3)
    // A filtered history leaves changes out.
    #expect(all.revision == nil)
  }

  @Test("The last revision is kept for an ascending history without filters only")
  func keptRevision() async throws {
    func revision(_ change: (inout TransactionHistoryRequest) -> Void) async throws -> String? {
      let scene = try ClientScene([Self.page("r1"), Self.page("r2", hasMore: false)])
      var request = TransactionHistoryRequest()
      change(&request)
      return try await scene.client.transactionHistory(of: "1", matching: request, in: .sandbox)
        .all().revision
    }
    #expect(try await revision { _ in } == "r2")
    #expect(try await revision { $0.sort = .ascending } == "r2")
    #expect(try await revision { $0.sort = .descending } == nil)
    #expect(try await revision { $0.startDate = ClientScene.begin } == nil)
    #expect(try await revision { $0.endDate = ClientScene.begin } == nil)
    #expect(try await revision { $0.productIDs = ["a"] } == nil)
    #expect(try await revision { $0.productTypes = [.consumable] } == nil)
    #expect(try await revision { $0.subscriptionGroupIdentifiers = ["a"] } == nil)
    #expect(try await revision { $0.inAppOwnershipType = .purchased } == nil)
    #expect(try await revision { $0.revoked = false } == nil)
  }

  @Test("A stored revision is passed, and nothing new keeps it")
  func storedRevision() async throws {
    let scene = try ClientScene([Self.page("r1", hasMore: false)])
    let all = try await scene.client.transactionHistory(of: "1", since: "r1", in: .sandbox).all()
    #expect(scene.requests.map(\.url) == [Self.url + "?revision=r1"])
    #expect(all.revision == "r1")
  }

  @Test("A transaction that comes again counts once, with its newest copy")
  func newest() async throws {
    let pages = [
      Self.page([try Self.token("1"), try Self.token("2", 5)], "r1"),
      Self.page(
        [try Self.token("1", 10), try Self.token("2", 1), try Self.token("3")], "r2",
        hasMore: false),
    ]
    let scene = try ClientScene(pages)
    let all = try await scene.client.transactionHistory(of: "1", in: .sandbox).all()
    #expect(all.transactions.map(\.payload.transactionID) == ["1", "2", "3"])
    let begin = ClientScene.begin.addingTimeInterval(-60)
    #expect(
      all.transactions.map { $0.signedDate?.timeIntervalSince(begin).rounded() } == [10, 5, 0])
    // One by one, a newer copy comes again and an older one doesn't.
    let other = try ClientScene(pages)
    var ids: [String?] = []
    for try await transaction in other.client.transactionHistory(of: "1", in: .sandbox) {
      ids.append(transaction.payload.transactionID)
    }
    #expect(ids == ["1", "2", "1", "3"])
  }

  static let loops: [[String?]] = [
    [nil], ["r1", nil], [""], ["r1", "r1"], ["a", "b", "a"], ["a", "b", "c", "b"],
  ]

  @Test("A loop of pages is an error, after the page was given", arguments: loops)
  func loop(_ revisions: [String?]) async throws {
    let scene = try ClientScene(
      try revisions.enumerated().map { Self.page([try Self.token("\($0)")], $1) })
    let history = scene.client.transactionHistory(of: "1", in: .sandbox)
    let failure = try await failure { try await history.all() }
    #expect(failure.reason.name == "pagesRepeat")
    #expect(failure.retry == .never)
    #expect(failure.collected?.transactions.count == revisions.count)
    #expect(failure.collected?.revision == nil)
    #expect(scene.sent == revisions.count)
  }

  @Test("A loop to the stored revision is an error")
  func loopToStored() async throws {
    let scene = try ClientScene([Self.page("r0")])
    let failure = try await failure {
      try await scene.client.transactionHistory(of: "1", since: "r0", in: .sandbox).all()
    }
    #expect(failure.reason.name == "pagesRepeat")
    #expect(scene.sent == 1)
  }

  @Test("A loop of refunds is an error too")
  func refundLoop() async throws {
    let scene = try ClientScene([Self.page("r1")])
    let failure = try await failure {
      try await scene.client.refundHistory(of: "1", in: .sandbox).all()
    }
    #expect(failure.reason.name == "pagesRepeat")
    #expect(scene.sent == 2)
  }

  @Test(
    "The recorded page that promises more but has no transactions is read",
    .enabled(if: Fixtures.areAvailable))
  func recordedWithoutTransactions() async throws {
    let text = try Fixtures.text(
      "server-api/aporat-transactionHistoryResponseWithoutTransactions.json"
    )
    .replacingOccurrences(of: "com.example", with: ClientScene.bundleID)
    .replacingOccurrences(of: "323232", with: "\(ClientScene.appAppleID)")
    let scene = try ClientScene([.status(200, text)])
    let failure = try await failure {
      try await scene.client.transactionHistory(of: "1", in: .production).all()
    }
    #expect(failure.reason.name == "pagesRepeat")
    #expect(failure.collected?.transactions.isEmpty == true)
    #expect(scene.sent == 2)
  }

  @Test("By default at most 500 pages are read, and what was read is not lost")
  func bound() async throws {
    let token = try Self.token("1")
    let scene = try ClientScene(
      ScriptedTransport { _, number in
        try Self.page([token], "r\(number)").get()
      })
    let failure = try await failure {
      try await scene.client.transactionHistory(of: "1", in: .sandbox).all()
    }
    guard case .tooManyPages(limit: 500) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(scene.sent == 500)
    #expect(failure.collected?.pages == 500)
    #expect(failure.collected?.transactions.count == 1)
    #expect(failure.collected?.revision == nil)
  }

  @Test("A failure of a later page carries what was read")
  func laterFailure() async throws {
    let scene = try ClientScene([Self.page([try Self.token("1")], "r1"), .code(4_040_001)])
    let failure = try await failure {
      try await scene.client.transactionHistory(of: "1", in: .sandbox).all()
    }
    #expect(failure.code?.rawValue == 4_040_001)
    #expect(failure.collected?.transactions.map(\.payload.transactionID) == ["1"])
  }

  @Test("A stored revision that Apple refuses is left out, once")
  func startsOver() async throws {
    let scene = try ClientScene([
      .code(4_000_005), Self.page([try Self.token("1")], "r1", hasMore: false),
    ])
    let all = try await scene.client.transactionHistory(of: "1", since: "old", in: .sandbox).all()
    #expect(scene.requests.map(\.url) == [Self.url + "?revision=old", Self.url])
    #expect(all.revision == "r1")
    let refused = try ClientScene([.code(4_000_005), Self.page("r1"), .code(4_000_005)])
    let failure = try await failure {
      try await refused.client.transactionHistory(of: "1", since: "old", in: .sandbox).all()
    }
    #expect(failure.retry == .startOver)
    #expect(refused.sent == 3)
    // Without a revision there is nothing to leave out.
    let first = try ClientScene([.code(4_000_005)])
    _ = try await AppStoreServerAPITests.failure {
      try await first.client.transactionHistory(of: "1", in: .sandbox).all()
    }
    #expect(first.sent == 1)
  }

  @Test("Nothing is asked before the first element is")
  func lazy() async throws {
    let scene = try ClientScene([Self.page("r1")])
    let history = scene.client.transactionHistory(of: "1", in: .sandbox)
    _ = history.makeAsyncIterator()
    #expect(scene.sent == 0)
  }

  @Test("A cancelled task asks for no further page")
  func cancelled() async throws {
    let scene = try ClientScene(
      ScriptedTransport { _, number in try Self.page("r\(number)").get() })
    let task = Task { () -> (Int, String?) in
      var pages = 0
      do {
        for try await _ in scene.client.transactionHistory(of: "1", in: .sandbox).pages {
          pages += 1
          if pages == 2 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
      } catch {
        return (pages, (error as? AppStoreServerFailure)?.reason.name)
      }
      return (pages, nil)
    }
    let (pages, reason) = await task.value
    #expect(pages == 2)
    #expect(reason == "cancelled")
    #expect(scene.sent == 2)
  }

  @Test("After the end and after a failure there is nothing more")
  func afterEnd() async throws {
    let scene = try ClientScene([.code(4_040_001)])
    var iterator = scene.client.transactionHistory(of: "1", in: .sandbox).makeAsyncIterator()
    _ = try await failure { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(scene.sent == 1)
  }

  @Test("A window that is empty or upside down is refused")
  func window() async throws {
    let scene = try ClientScene([Self.page("r1", hasMore: false)])
    for end in [0.0, -1] {
      var request = TransactionHistoryRequest()
      request.startDate = ClientScene.begin
      request.endDate = ClientScene.begin.addingTimeInterval(end)
      let failure = try await failure {
        try await scene.client.transactionHistory(of: "1", matching: request, in: .sandbox).all()
      }
      #expect(failure.reason.name == "invalidRequest")
    }
    #expect(scene.sent == 0)
  }
}
