import JSONValues
import Testing

@Suite("Texts compared byte by byte")
struct UniqueTextTests {
  @Test("Texts that look the same, but have other bytes, are two")
  func bytes() {
    #expect(UniqueText("e\u{301}") != UniqueText("é"))
    #expect(UniqueText("a") == UniqueText("a"))
    #expect(Set([UniqueText("e\u{301}"), UniqueText("é"), UniqueText("é")]).count == 2)
    #expect(
      [UniqueText("b"), UniqueText("a.b"), UniqueText("a")].sorted().map(\.text) == [
        "a", "a.b", "b",
      ])
  }

  @Test("Two sorted lists are merged as their union is sorted, each text once")
  func merged() {
    let texts = ["a", "a.b", "b", "e\u{301}", "é", "z"]
    let lists = (0..<64).map { bits in
      texts.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element).uniqueInOrderOfBytes
    }
    for one in lists {
      for other in lists {
        #expect(
          one.merged(with: other).map(UniqueText.init)
            == (one + other).uniqueInOrderOfBytes.map(UniqueText.init))
      }
    }
  }
}
