import EntitlementPolicy
import Testing

@Suite("Hostile product lists", .timeLimit(.minutes(30)))
struct HostileListTests {
  /// An element of which one value is a text repeated, with signs before and after.
  private func stuffed(_ start: String, _ text: String, times count: Int, _ end: String) -> String {
    let members = #""x":0,\#(start)\#(String(repeating: text, count: count))\#(end)"#
    return list(element("p"), element("s", "renewableSubscription", members))
  }

  @Test("A million elements are too many, before any is looked at")
  func elements() {
    #expect(fault("[" + String(repeating: "0,", count: 100_000) + "0]") == "- - too many")
  }

  @Test("Any depth is read, and ignored where it has no meaning")
  func depth() throws {
    let count = 40_000
    let (open, close) = (String(repeating: "[", count: count), String(repeating: "]", count: count))
    #expect(fault(open) == "- - not JSON at byte \(count)")
    #expect(fault(open + close) == "0 - not an object")
    #expect(
      try warnings(stuffed(#""y":"#, open, times: 1, close)) == [
        "1 unknown_key x -", "1 unknown_key y -",
      ])
    #expect(
      fault(stuffed(#""unlocks":"#, open, times: 1, close))
        == "1 unlocks[0] wrong type, expected string")
    #expect(
      fault(stuffed(#""contentFetcherParameters":"#, open, times: 1, close))
        == "1 contentFetcherParameters wrong type, expected object")
  }

  @Test("Hundreds of thousands of warnings are counted, and the first ones kept")
  func manyWarnings() async throws {
    let count = 40_000
    for (start, text, end, products, expected) in [
      (#""discountedProducts":["#, #""d","#, #""d"]"#, 3, count),
      (#""discountedProducts":["#, #""s","#, #""d"]"#, 3, count),
      (#""unlocks":["#, #""q*","#, #""p"]"#, 2, count),
      (#""unlocks":["#, #""q","#, #""p"]"#, 2, count),
      (#""unlocks":["#, #""p","#, #""*"]"#, 2, 0), (#""unlocks":["#, #""*","#, #""q"]"#, 2, 1),
      ("", #""y":[],"#, #""y":0"#, 2, count + 1), ("", #""unlocks":[],"#, #""unlocks":1"#, 2, 0),
    ] {
      let catalog = try catalog(stuffed(start, text, times: count, end))
      #expect(catalog.products.count == products)
      // The unknown key of each list is one more.
      #expect(catalog.warningCount == expected + 1)
      #expect(catalog.warnings.count == min(expected + 1, 1_000))
      // Other tests, which wait for processes and for time, have their turns.
      await Task.yield()
    }
  }

  @Test("Long texts are recognized, and not repeated in failures")
  func lengths() {
    for text in ["a", #"\u0061"#, "é", #"\ud83d\ude00"#, #"\n"#] {
      let long = String(repeating: text, count: 100_000)
      #expect(fault(list(element(long))) == "0 identifier text not allowed")
      #expect(
        fault(stuffed(#""unlocks":[""#, long, times: 1, #""]"#)) == "1 unlocks[0] text not allowed")
      #expect((failure(list(element("a", long)))?.description.utf8.count ?? 0) < 2_048)
    }
  }

  @Test("Equal rules and beginnings of several subscriptions are those of each")
  func equalRules() throws {
    let start = String(repeating: "p", count: 20)
    let entries = [
      #""unlocks":["\#(start)a*","b","b"]"#, #""unlocks":["b","\#(start)a*"]"#,
      #""unlocks":["\#(start)*","b"]"#, #""unlocks":["\#(start)a*"]"#,
    ]
    let subscriptions = entries.enumerated().map {
      element("s\($0.offset)", "renewableSubscription", $0.element)
    }
    let products = ["\(start)ab", "\(start)c", "b"].map { element($0) }
    let catalog = try catalog("[\((subscriptions + products).joined(separator: ","))]")
    #expect(
      (0..<4).map { catalog["s\($0)"]?.unlocks?.entries } == [
        ["b", "\(start)a*"], ["b", "\(start)a*"], ["b", "\(start)*"], ["\(start)a*"],
      ])
    #expect(catalog.warnings.isEmpty)
  }

  @Test("Many rules over many products are judged together")
  func rules() throws {
    let subscriptions = (0..<2_000).map { index in
      element("s\(index)", "renewableSubscription", #""unlocks":["p\#(index)*","p1","none"]"#)
    }
    let products = (0..<2_000).map {
      element("p\($0)", "nonConsumable", #""isSubscribersOnly":true"#)
    }
    let catalog = try catalog("[\((subscriptions + products).joined(separator: ","))]")
    #expect(catalog.warningCount == 2_000)
    #expect(catalog.warnings.allSatisfy { $0.code == .unlocksNothing && $0.key == "unlocks[2]" })
    #expect(catalog["s7"]?.unlocks?.entries == ["p1", "p7*"])
    #expect(catalog["s1"]?.unlocks?.entries == ["p1*"])
  }
}
