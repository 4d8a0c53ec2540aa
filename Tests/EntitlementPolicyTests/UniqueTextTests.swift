import Testing

@testable import EntitlementPolicy

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
}
