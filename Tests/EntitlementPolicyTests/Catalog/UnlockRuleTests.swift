import EntitlementPolicy
import StorekeeperFixtures
import Testing

@Suite("Rules of what a subscription unlocks")
struct UnlockRuleTests {
  @Test(
    "An entry is an identifier, or the beginning of identifiers",
    arguments: [
      (["a.b"], ["a.b"]), (["a.*"], ["a.", "a.b", "a.bc", "a.é"]),
      (["a*"], ["a", "a.", "a.b", "a.bc", "a.é", "ab"]),
      ([], []), (["b", "a.b", "zz"], ["a.b", "b"]),
      (["ab*", "a.b*", "b*"], ["a.b", "a.bc", "ab", "b"]),
      (["a.b*", "a.*", "a.bc"], ["a.", "a.b", "a.bc", "a.é"]), (["e\u{301}"], ["e\u{301}"]),
      (["é"], ["é"]),
      (["e*"], ["e\u{301}"]),
      (["*"], ["a", "a.", "a.b", "a.bc", "a.é", "ab", "b", "é", "e\u{301}"]),
    ])
  func entries(entries: [String], unlocked: [String]) {
    let rule = UnlockRule(entries: entries)
    let identifiers = ["a", "a.", "a.b", "a.bc", "a.é", "ab", "b", "é", "e\u{301}"]
    #expect(
      Set(identifiers.filter(rule.unlocks).map { Array($0.utf8) })
        == Set(unlocked.filter { $0 != "zz" }.map { Array($0.utf8) }))
  }

  @Test("Entries that others cover are left out")
  func covered() {
    #expect(
      UnlockRule(entries: ["c", "b", "a.b", "a*", "ab*", "b", "a*"]).entries == ["a*", "b", "c"])
    #expect(UnlockRule(entries: ["x", "*", "a*"]) == UnlockRule(entries: ["*"]))
    #expect(UnlockRule(entries: ["é"]) != UnlockRule(entries: ["e\u{301}"]))
  }

  @Test("A rule agrees with its entries one by one", arguments: 0..<50)
  func random(seed: Int) {
    var generator = SplitMix(state: UInt64(seed))
    let text = {
      String(
        (0..<Int.random(in: 1...5, using: &generator)).map { _ in
          Bool.random(using: &generator) ? Character("a") : "b"
        })
    }
    let entries = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
      Bool.random(using: &generator) ? text() : text() + "*"
    }
    let rule = UnlockRule(entries: entries)
    for _ in 0..<100 {
      let identifier = text()
      let expected = entries.contains { entry in
        entry.hasSuffix("*") ? identifier.hasPrefix(entry.dropLast()) : entry == identifier
      }
      #expect(rule.unlocks(identifier) == expected, "\(entries) \(identifier)")
    }
  }
}
