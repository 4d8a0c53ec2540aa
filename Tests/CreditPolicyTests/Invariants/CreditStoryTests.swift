import CreditPolicy
import ReceiptModels
import StorekeeperFixtures
import Testing

/// Something that happens to the credits of two users, X and Y being starter packs.
enum StoryEvent: CaseIterable, Sendable {
  case u1VerifiesX, u2VerifiesX, u1VerifiesRevokedX, u2VerifiesY
  case refundX, revokeX, reverseX, lateRefundX, lateReversalX
  case refundY, reverseY
  case u1Spends30, u1SpendsAll

  /// Applies the event, and checks what holds for this step.
  func happen(in world: inout CreditWorld, story: [StoryEvent]) {
    switch self {
    case .u1VerifiesX: verify("1", by: "u1", in: &world, story: story)
    case .u2VerifiesX: verify("1", by: "u2", in: &world, story: story)
    case .u1VerifiesRevokedX: verify("1", by: "u1", isRevoked: true, in: &world, story: story)
    case .u2VerifiesY: verify("2", by: "u2", in: &world, story: story)
    case .refundX: hear(.refund, of: "1", in: &world, story: story)
    case .revokeX: hear(.revoke, of: "1", in: &world, story: story)
    case .reverseX: hear(.refundReversed, of: "1", in: &world, story: story)
    case .lateRefundX: hear(.refund, of: "1", isLate: true, in: &world, story: story)
    case .lateReversalX: hear(.refundReversed, of: "1", isLate: true, in: &world, story: story)
    case .refundY: hear(.didFailToRenew, of: "2", in: &world, story: story)
    case .reverseY: hear(.refundReversed, of: "2", in: &world, story: story)
    case .u1Spends30: world.book("spending", -30, of: "u1")
    case .u1SpendsAll:
      let balance = world.balances["u1"] ?? 0
      if balance > 0 { world.book("spending", -balance, of: "u1") }
    }
  }

  /// A grant adds the credits of the pack to the user, and every other answer changes nothing.
  private func verify(
    _ id: String, by user: AccountID, isRevoked: Bool = false, in world: inout CreditWorld,
    story: [StoryEvent]
  ) {
    let before = world
    let decision = world.verify(id, by: user, isRevoked: isRevoked)
    let status = before.rows[id]?.status
    switch decision {
    case .grant:
      hold(status == nil || status == .open, story)
      hold(!isRevoked && before.claim == nil, story)
      hold(world.balances[user] == (before.balances[user] ?? 0) + 60, story)
    case .alreadyGranted(let event):
      hold(status == .granted && before.rows[id]?.userID == user, story)
      hold(world.entries.contains { $0.booking.eventID == event }, story)
      hold(world.key == before.key, story)
    case .refuse(let refusal):
      hold(world.key == before.key, story)
      let isTakenBack = status == .refunded || status == .revokedPending
      hold((refusal == .revoked) == (isRevoked || isTakenBack), story)
    }
  }

  /// News changes the balance of nobody but the owner, and that of the owner once a round.
  private func hear(
    _ type: NotificationType, of id: String, isLate: Bool = false, in world: inout CreditWorld,
    story: [StoryEvent]
  ) {
    let before = world
    let decision = world.hear(type, of: id, isLate: isLate)
    hold(decision != nil, story)
    let owner = before.rows[id]?.userID
    hold(
      world.balances.allSatisfy { $0.key == owner || $0.value == before.balances[$0.key] }, story)
    let isOld = isLate && before.rows[id]?.lastEventSignedDate != nil
    hold((decision?.outcome == .superseded) == isOld, story)
    if isOld { hold(world.key == before.key, story) }
    hold(world.claim == before.claim, story)
  }
}

@Suite("Stories of credits")
struct CreditStoryTests {
  /// Two stories that lead to the same records are continued once.
  @Test("of up to six events keep every invariant after each step")
  func stories() async {
    var level: [(world: CreditWorld, story: [StoryEvent])] = [(CreditWorld(), [])]
    var seen: Set<String> = [CreditWorld().key]
    for _ in 1...6 {
      var next: [(world: CreditWorld, story: [StoryEvent])] = []
      for (world, story) in level {
        for event in StoryEvent.allCases {
          var after = world
          event.happen(in: &after, story: story + [event])
          guard seen.insert(after.key).inserted else { continue }
          after.checkInvariants(after: story + [event])
          next.append((after, story + [event]))
        }
        // Other tests, which wait for processes and for time, have their turns.
        await Task.yield()
      }
      level = next
    }
    // Each of the four states was reached, also after a second refund.
    #expect(seen.count > 1000)
    #expect(level.contains { $0.world.rows["1"]?.refundRound == 2 })
    for status in CreditTransaction.Status.allCases {
      #expect(level.contains { $0.world.rows["1"]?.status == status })
    }
    print("stories of credits: [\(seen.count) different states]")
  }

  @Test(
    "that are drawn at random, of 100 events, keep every invariant",
    arguments: 1...10 as ClosedRange<UInt64>)
  func longStories(seed: UInt64) async {
    var draws = SplitMix(state: seed)
    var world = CreditWorld()
    var story: [StoryEvent] = []
    for number in 0..<100 {
      guard let event = StoryEvent.allCases.randomElement(using: &draws) else { return }
      story.append(event)
      event.happen(in: &world, story: story)
      if number % 10 == 9 { world.book("bonus", 40, of: "u1") }
      world.checkInvariants(after: story)
      await Task.yield()
    }
  }
}
