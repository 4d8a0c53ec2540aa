import Foundation
import InMemoryStorage
import PurchaseStorage
import ReceiptModels
import StorekeeperTesting
import Testing

/// A store with one thing wrong, and the law that has to notice.
struct BrokenCase: Sendable, CustomStringConvertible {
  let fault: String
  let law: String
  let make: @Sendable () -> any PurchaseStore

  init(_ fault: String, _ law: String, _ make: @escaping @Sendable () -> any PurchaseStore) {
    self.fault = fault
    self.law = law
    self.make = make
  }

  /// A store with one broken repository.
  init(
    _ fault: String, _ law: String,
    breaking change: @escaping @Sendable (inout BrokenRecords) -> Void
  ) {
    self.init(fault, law) {
      WrappedStore(InMemoryPurchaseStore()) { try BrokenRecords($0, change).unit }
    }
  }

  var description: String { fault }
}

@Suite("The contract of a store can fail")
struct ContractPowerTests {
  @Test(
    "each fault breaks the law that forbids it",
    arguments: unitCases + capabilityCases + repositoryCases)
  func fault(_ broken: BrokenCase) async throws {
    let law = try #require(
      PurchaseStoreContract([.subscriptions]) { broken.make() }.laws.first {
        $0.name == broken.law
      },
      "there is no law of this name")
    let violation = try await #require(throws: ContractViolation.self) {
      try await law.check(fileID: "Host/Tests.swift", line: 7)
    }
    #expect(violation.law == broken.law)
    #expect(violation.fileID == "Host/Tests.swift")
    #expect(violation.line == 7)
  }

  @Test("a run of all laws stops at the first that is broken, and says where it was asked for")
  func run() async throws {
    let violation = try await #require(throws: ContractViolation.self) {
      try await PurchaseStoreContract([.subscriptions]) { StoreWithoutRollback() }.run(
        fileID: "Host", line: 3)
    }
    #expect(
      violation.law
        == "An error of the closure is passed on, and its evidence and messages are rolled back")
    #expect(violation.fileID == "Host")
    #expect(violation.line == 3)
  }

  @Test("every law has a name of its own")
  func names() {
    let names = PurchaseStoreContract(StoreCapability.all, reopen: { $0 }) {
      InMemoryPurchaseStore()
    }
    .laws.map(
      \.name)
    #expect(Set(names).count == names.count)
  }

  static let unitCases = [
    BrokenCase(
      "keeps what a unit wrote before it threw",
      "A unit of work that throws keeps nothing of what it changed"
    ) { StoreWithoutRollback() },
    BrokenCase(
      "keeps evidence that a unit wrote before it threw",
      "An error of the closure is passed on, and its evidence and messages are rolled back"
    ) { StoreWithoutRollback() },
    BrokenCase(
      "keeps a message of a unit that threw", "A message of a unit of work that threw never appears"
    ) { StoreWithoutRollback() },
    BrokenCase(
      "hides the closure's error",
      "An error of the closure is passed on unchanged, from write and from read"
    ) {
      WrappedStore(InMemoryPurchaseStore()) { _, unit in
        do { try await unit() } catch { throw StorageFailure.conflict }
      }
    },
    BrokenCase(
      "shows what is not finished",
      "Nobody sees what a unit of work has written before it has ended"
    ) { StoreWithoutIsolation() },
    BrokenCase(
      "answers twice differently",
      "A unit of work that reads gets the same answer twice, whatever others write"
    ) { StoreWithoutIsolation() },
    BrokenCase(
      "lets a second writer in",
      "Of 64 accounts that claim a free subscription at once exactly one gets it"
    ) { StoreWithoutIsolation() },
  ]

  static let capabilityCases = [
    BrokenCase("says less than it shows", capabilityLaw) {
      Claiming(capabilities: [.subscriptions])
    },
    BrokenCase("says more than it shows", capabilityLaw) {
      Claiming(
        base: WrappedStore(InMemoryPurchaseStore(), capabilities: [.subscriptions]),
        capabilities: StoreCapability.all)
    },
    BrokenCase("lacks what is asked for", capabilityLaw) {
      WrappedStore(InMemoryPurchaseStore(), capabilities: [.credits])
    },
  ]

  private static let capabilityLaw =
    "A store has the capabilities that it says, and its units of work show them"

  static let repositoryCases = [
    BrokenCase("gives a job twice", "A job is one worker's until its lease ends or is given back") {
      $0.jobs = BrokenJobs(base: $0.jobs, isLeaseOver: true)
    },
    BrokenCase("forgets where a job was", "A job is resumed at the place that it reached") {
      $0.jobs = BrokenJobs(base: $0.jobs, isPlaceForgotten: true)
    },
    BrokenCase("hides who works on a job", "The jobs are listed as they stand, by name") {
      $0.jobs = BrokenJobs(base: $0.jobs, isEndForgotten: true)
    },
    BrokenCase("believes whoever steps", "A worker whose lease was lost moves no job") {
      $0.jobs = BrokenJobs(base: $0.jobs, isStepTrusted: true)
    },
    BrokenCase(
      "no guard for revisions",
      "An older revision never replaces a newer one; one of the same moment does"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, isGuardMissing: true) },
    BrokenCase(
      "walks over receipts in the wrong order",
      "All receipts are walked in the order of the bytes of id and environment"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, isWalkReversed: true) },
    BrokenCase(
      "moves of purchases are not kept",
      "The moves of a purchase are kept in their order, each environment's apart"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, areTransfersForgotten: true) },
    BrokenCase(
      "walks over purchases in the wrong order",
      "All purchases are walked in the order of the bytes of id and environment, each once"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, isWalkReversed: true) },
    BrokenCase(
      "every receipt has one stamp",
      "The stamp of a receipt is found by its key, and there is none without a receipt"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, isReceiptStampFixed: true) },
    BrokenCase(
      "every request is new", "A request for consumption information is stored as it is, once"
    ) { $0.consumption = BrokenConsumption(base: $0.consumption, isAlwaysNew: true) },
    BrokenCase(
      "every request waits",
      "What is known of a request before its answer is sent is kept while it waits"
    ) { $0.consumption = BrokenConsumption(base: $0.consumption, isAlwaysWaiting: true) },
    BrokenCase(
      "replaces any answer",
      "What is known of a request before its answer is sent is kept while it waits"
    ) { $0.consumption = BrokenConsumption(base: $0.consumption, isAnyAnswerReplaced: true) },
    BrokenCase(
      "notes an outcome at a later request",
      "An outcome belongs to the newest request of its transaction that has none"
    ) { $0.consumption = BrokenConsumption(base: $0.consumption, isDateForgotten: true) },
    BrokenCase(
      "lists requests in the wrong order",
      "The requests of a transaction come in the order in which they were made"
    ) { $0.consumption = BrokenConsumption(base: $0.consumption, isOrderReversed: true) },
    BrokenCase(
      "lists requests that are late",
      "The requests that wait are listed, those first whose time ends first"
    ) { $0.consumption = BrokenConsumption(base: $0.consumption, areLateListed: true) },
    BrokenCase(
      "removes what is not old",
      "Old sessions are removed in steps, the oldest first, and none that is not old"
    ) { $0.retention = BrokenRetention(base: $0.retention, isAgeForgotten: true) },
    BrokenCase(
      "two remove at once",
      "The removal of a kind is one worker's until its lease ends or is given back"
    ) { $0.retention = BrokenRetention(base: $0.retention, isLeaseOver: true) },
    BrokenCase(
      "reads events backwards",
      "Positions rise by one in the order of writing, and are never given twice"
    ) { $0.events = $0.events.map { BrokenEvents(base: $0, isOrderedBackwards: true) } },
    BrokenCase(
      "forgets the place of a reader",
      "A reader is held by one unit of work at a time"
    ) { $0.events = $0.events.map { BrokenEvents(base: $0, isPlaceForgotten: true) } },
    BrokenCase(
      "keeps a reader that is removed",
      "A reader that was removed is new when it is held again"
    ) { $0.events = $0.events.map { BrokenEvents(base: $0, areReadersKept: true) } },
    BrokenCase(
      "removes events that are not old",
      "Old events are removed, the oldest first, up to the limit, and new ones stay"
    ) { $0.events = $0.events.map { BrokenEvents(base: $0, isAgeForgotten: true) } },
    BrokenCase(
      "lets a line be overtaken",
      "An account of a line waits while one of its messages is leased or failed; others do not"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isLineOvertaken: true) },
    BrokenCase(
      "counts more than it was asked for",
      "The messages that wait in a line are counted up to a limit, parked ones left out"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isBacklogOfAll: true) },
    BrokenCase(
      "takes nothing back", "A message that was given back is free at once, and did not fail"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, areLeasesKept: true) },
    BrokenCase("forgets words", "Words of a membership that are not known are kept as they are") {
      $0.memberships = BrokenMemberships(base: $0.memberships, areWordsForgotten: true)
    },
    BrokenCase("no guard", "An older transaction never replaces a newer one") {
      $0.purchases = BrokenPurchases(base: $0.purchases, isGuardMissing: true)
    },
    BrokenCase(
      "no guard for receipts",
      "An older receipt never replaces a newer one; one of the same moment does"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, isGuardMissing: true) },
    BrokenCase(
      "adds renewals to the old ones", "The renewals of a subscription are replaced as a whole"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, areRenewalsAdded: true) },
    BrokenCase(
      "sets of renewals without a stamp", "An emptied set of renewals keeps its stamp"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, areSetsUnstamped: true) },
    BrokenCase(
      "sets of renewals in any order",
      "A renewal that a newer set leaves out doesn't come back with an older one"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, areSetsUnstamped: true) },
    BrokenCase(
      "single renewals past the set",
      "A renewal that a newer set leaves out doesn't come back with an older one"
    ) { $0.purchases = BrokenPurchases(base: $0.purchases, isGuardMissing: true) },
    BrokenCase("every notification is new", "A notification is new once") {
      $0.notifications = ForgetfulNotifications(base: $0.notifications)
    },
    BrokenCase(
      "saves the owner", "Saving never touches owner, environment and the date of creation"
    ) {
      $0.storedSubscriptions = BrokenSubscriptions(base: $0.storedSubscriptions, isOwnerSaved: true)
    },
    BrokenCase(
      "lists in the wrong order",
      "A list has the owner's rows, the latest expiry first, ties by id as text"
    ) {
      $0.storedSubscriptions = BrokenSubscriptions(
        base: $0.storedSubscriptions, isListReversed: true)
    },
    BrokenCase(
      "forgets use", "A subscription is in use when an Apple membership of its owner carries it"
    ) {
      $0.storedSubscriptions = BrokenSubscriptions(
        base: $0.storedSubscriptions, isUseForgotten: true)
    },
    BrokenCase(
      "forgets use of Google's purchases",
      "A subscription is in use when a Google membership of its owner carries it"
    ) {
      $0.storedSubscriptions = BrokenSubscriptions(
        base: $0.storedSubscriptions, isGoogleForgotten: true)
    },
    BrokenCase(
      "cuts long ids", "Identifiers of up to 64 digits are texts: no digit is lost"
    ) {
      $0.storedSubscriptions = BrokenSubscriptions(base: $0.storedSubscriptions, areIDsCut: true)
    },
    BrokenCase(
      "overwrites where it is to insert",
      "Subscriptions that are missing are inserted before all are found; others stay"
    ) {
      $0.storedSubscriptions = BrokenSubscriptions(
        base: $0.storedSubscriptions, isInsertingSaving: true)
    },
    BrokenCase(
      "finds no memberships with subscriptions",
      "Subscriptions are found together with memberships as by themselves"
    ) { $0.areMembershipsForgotten = true },
    BrokenCase(
      "finds no memberships with evidence",
      "Evidence is found together with memberships as by itself"
    ) { $0.areMembershipsForgotten = true },
    BrokenCase(
      "finds memberships in the wrong order",
      "Rows come in the order of the bytes of their compound ids"
    ) { $0.memberships = BrokenMemberships(base: $0.memberships, isOrderReversed: true) },
    BrokenCase(
      "makes a row anew",
      "An updated row keeps its id, also when it moves to another compound id"
    ) { $0.memberships = BrokenMemberships(base: $0.memberships, isRowMadeAnew: true) },
    BrokenCase(
      "inserts what is not there to be updated",
      "An update of a row that is not there is a conflict"
    ) { $0.memberships = BrokenMemberships(base: $0.memberships, isAbsenceAccepted: true) },
    BrokenCase(
      "deletes what is not there", "A deletion of a row that is not there is a conflict"
    ) { $0.memberships = BrokenMemberships(base: $0.memberships, isAbsenceAccepted: true) },
    BrokenCase(
      "trims texts", "Quotes, SQL, white space and any Unicode are stored byte by byte"
    ) { $0.memberships = BrokenMemberships(base: $0.memberships, areTextsTrimmed: true) },
    BrokenCase(
      "tells history backwards",
      "A history is the oldest first, over all kinds, and no longer than asked"
    ) { $0.memberships = BrokenMemberships(base: $0.memberships, isHistoryReversed: true) },
    BrokenCase(
      "gives a lease twice",
      "A row with a live lease is given to no other worker, an ended lease is free"
    ) { $0.refreshes = BrokenRefreshes(base: $0.refreshes, isLeaseOver: true) },
    BrokenCase(
      "asks only about what renews",
      "What nobody has told about is due as what renews is, until somebody tells"
    ) { $0.refreshes = BrokenRefreshes(base: $0.refreshes, areUntoldForgotten: true) },
    BrokenCase(
      "holds nothing",
      "A new end, or the first word about the renewal, ends the hold of what nobody told about"
    ) { $0.refreshes = BrokenRefreshes(base: $0.refreshes, isHoldLost: true) },
    BrokenCase(
      "believes whoever finishes", "A lost lease finishes nothing and changes nothing"
    ) { $0.refreshes = BrokenRefreshes(base: $0.refreshes, isFinishTrusted: true) },
    BrokenCase(
      "leases in the wrong order",
      "Leases come with the earliest expiry first, then by id as text, up to the limit"
    ) { $0.refreshes = BrokenRefreshes(base: $0.refreshes, isOrderReversed: true) },
    BrokenCase(
      "gives a message twice",
      "A message with a live lease is given to no other worker, an ended lease is free"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isLeaseOver: true) },
    BrokenCase(
      "forgets that a message was sent", "A sent message is never given again, and is not counted"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isSendingForgotten: true) },
    BrokenCase(
      "removes more messages than it may",
      "Messages that were sent before a moment are removed, the first sent first, up to the limit"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isRemovalUnbounded: true) },
    BrokenCase(
      "delivers in the wrong order",
      "Messages are delivered oldest first, with rising numbers, up to the limit"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isOrderReversed: true) },
    BrokenCase(
      "gives kinds that are left out",
      "A message of a kind that is left out stays, and hides no other"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, areKindsIgnored: true) },
    BrokenCase(
      "counts a failure for what is postponed",
      "A postponed message is given again when its time has come, without a failure"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isPostponingAFailure: true) },
    BrokenCase(
      "tries parked messages again",
      "A parked message is given to nobody until it is sent again, and is shown with its reason"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isParkingAFailure: true) },
    BrokenCase(
      "counts parked messages among those that wait",
      "The backlog is what waits or is leased, with the date of the oldest, and what is parked"
    ) { $0.outbox = BrokenOutbox(base: $0.outbox, isBacklogOfAll: true) },
  ]
}

/// A store that says other capabilities than it has.
private struct Claiming: PurchaseStore {
  var base: any PurchaseStore = InMemoryPurchaseStore()
  let capabilities: Set<StoreCapability>

  func read<Result: Sendable>(
    _ body: UnitOfWorkBody<Result>
  ) async throws -> Result { try await base.read(body) }

  func write<Result: Sendable>(
    _ body: UnitOfWorkBody<Result>
  ) async throws -> Result { try await base.write(body) }
}
