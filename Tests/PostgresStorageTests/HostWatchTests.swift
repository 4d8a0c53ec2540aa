import SQLStorage
import StorekeeperLocks
import Testing

@testable import PostgresStorage

@Suite("The search for the host that takes writes", .timeLimit(.minutes(2)))
struct HostWatchTests {
  private static let away = ServerFailure.lost("away")
  private static let full = ServerFailure(
    .unavailable(mayHaveCommitted: false, detail: "full"), isTransient: true)
  private static let forGood = ServerFailure(.other(code: 28, detail: "refused"))

  /// A host whose looks give these results one after the other, and then the last one for good.
  private final class Host: Sendable {
    private let sightings: Locked<[HostWatch.Sighting]>
    private let looks = Locked(0)

    init(_ sightings: HostWatch.Sighting...) { self.sightings = Locked(sightings) }

    var lookCount: Int { looks.withLock { $0 } }

    func look() -> HostWatch.Sighting {
      looks.withLock { $0 += 1 }
      return sightings.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }

    func become(_ next: HostWatch.Sighting...) { sightings.withLock { $0 = next } }
  }

  private func watch(_ hosts: Host...) -> HostWatch {
    HostWatch(hosts.map { host in { host.look() } }, pause: .milliseconds(2))
  }

  private func leader(of watch: HostWatch) async throws -> HostWatch.Leader {
    try await watch.leader(within: .seconds(60))
  }

  @Test("a host that leads is found, and not looked at again while nobody doubts it")
  func found() async throws {
    let (first, second) = (Host(.refuses(Self.away)), Host(.silent(Self.away), .leads(timeline: 1)))
    let watch = watch(first, second)
    #expect(watch.isLeaderless)
    let leader = try await leader(of: watch)
    #expect(leader.host == 1 && !watch.isOver(leader))
    let looks = second.lookCount
    for _ in 0..<10 { #expect(try await self.leader(of: watch) == leader) }
    #expect(second.lookCount == looks)
  }

  @Test("a leader that cannot be asked keeps its connections until it answers or another leads")
  func unasked() async throws {
    let (first, second) = (Host(.leads(timeline: 4)), Host(.refuses(Self.away)))
    let watch = watch(first, second)
    let old = try await leader(of: watch)
    first.become(.unasked(Self.away))
    watch.doubt(old)
    let looks = first.lookCount
    async let again = leader(of: watch)
    while first.lookCount < looks + 4 { await Task.yield() }
    #expect(!watch.isOver(old) && !watch.isLeaderless)
    first.become(.leads(timeline: 4))
    #expect(try await again == old)
    first.become(.unasked(Self.away))
    second.become(.leads(timeline: 5))
    watch.doubt(old)
    #expect(try await leader(of: watch).host == 1)
    #expect(watch.isOver(old))
  }

  @Test(
    "libpq says that a host cannot be asked",
    arguments: [
      "could not translate host name \"db\" to address: Name or service not known\n",
      "connection to server at \"::1\" failed: could not create socket: Too many open files\n",
    ])
  func words(message: String) {
    #expect(ServerFailure(verboseMessage: message, needsPassword: false).isUnasked)
  }

  @Test("a name that nobody knows cannot be asked, and a closed port can")
  func unknownName() throws {
    for (string, isUnasked) in [
      ("postgresql://does-not-exist.invalid/x", true), ("postgresql://127.0.0.1:1/x", false),
    ] {
      let failure = #expect(throws: ServerFailure.self) {
        _ = try PostgresLink.open(try ConnectionString(string))
      }
      #expect(failure?.isUnasked == isUnasked)
    }
  }

  @Test("a leader that another one replaced is over, and comes back with a higher timeline alone")
  func timelines() async throws {
    let (first, second) = (Host(.leads(timeline: 4)), Host(.refuses(Self.away)))
    let watch = watch(first, second)
    let old = try await leader(of: watch)
    #expect(old.host == 0)
    first.become(.refuses(Self.away))
    second.become(.leads(timeline: 5))
    watch.doubt(old)
    let new = try await leader(of: watch)
    #expect(new.host == 1 && watch.isOver(old) && !watch.isOver(new))
    // The first wakes, and knows nothing of the second.
    first.become(.leads(timeline: 4))
    watch.doubt(new)
    #expect(try await leader(of: watch) == new)
    first.become(.leads(timeline: 6))
    second.become(.refuses(Self.away))
    watch.doubt(new)
    #expect(try await leader(of: watch).host == 0)
    #expect(watch.isOver(new))
  }

  @Test("one look without an answer ends nothing, and two do")
  func silence() async throws {
    let (first, second) = (Host(.leads(timeline: 1)), Host(.refuses(Self.away)))
    let watch = watch(first, second)
    let leader = try await leader(of: watch)
    first.become(.silent(Self.away), .leads(timeline: 1))
    watch.doubt(leader)
    #expect(try await self.leader(of: watch) == leader)
    #expect(!watch.isOver(leader))
    first.become(.silent(Self.away))
    watch.doubt(leader)
    while !watch.isOver(leader) { await Task.yield() }
    #expect(watch.isLeaderless)
    second.become(.leads(timeline: 2))
    #expect(try await self.leader(of: watch).host == 1)
  }

  @Test(
    "a leader that is full, or refuses for good, keeps its connections", arguments: [true, false])
  func kept(isFull: Bool) async throws {
    let host = Host(.leads(timeline: 1))
    let watch = watch(host, Host(.full(Self.full)))
    let leader = try await leader(of: watch)
    host.become(isFull ? .full(Self.full) : .refuses(Self.forGood))
    watch.doubt(leader)
    #expect(try await self.leader(of: watch) == leader)
    #expect(!watch.isOver(leader))
    // One that is not there loses them.
    host.become(.refuses(Self.away))
    watch.doubt(leader)
    while !watch.isOver(leader) { await Task.yield() }
  }

  @Test("hosts that all refuse for good are told at once, and others when the time is up")
  func failures() async throws {
    let refusing = watch(Host(.refuses(Self.forGood)), Host(.refuses(Self.forGood)))
    await #expect(throws: Self.forGood) { try await leader(of: refusing) }
    let mixed = watch(Host(.refuses(Self.forGood)), Host(.refuses(Self.away)))
    await #expect(throws: ServerFailure.self) {
      try await mixed.leader(within: .milliseconds(50))
    }
    #expect(mixed.isLeaderless)
  }

  @Test("many callers wait for one search; one that is cancelled leaves the others")
  func callers() async throws {
    let host = Host(.refuses(Self.away))
    let watch = watch(host)
    let cancelled = Task { try await leader(of: watch) }
    let tasks = (0..<50).map { _ in Task { try await leader(of: watch) } }
    while host.lookCount < 2 { await Task.yield() }
    cancelled.cancel()
    await #expect(throws: ServerFailure.self) { try await cancelled.value }
    host.become(.leads(timeline: 1))
    var leaders: Set<HostWatch.Leader> = []
    for task in tasks { leaders.insert(try await task.value) }
    #expect(leaders.map(\.host) == [0])
  }
}
