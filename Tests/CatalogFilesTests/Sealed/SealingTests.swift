import CatalogFiles
import Testing

/// Source: entitlement rules, sections 3.1 and 3.3.
@Suite("Sealing of catalogues")
struct SealingTests {
  private static let keys = [SealedVector.raw.key, SealedVector.container.key]

  @Test("what was sealed opens again", arguments: [1, 2, 3, 4, 15, 16, 17, 90, 4096, 70_001])
  func roundTrip(size: Int) throws {
    let list = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 5) }
    for text in Self.keys {
      let key = try CatalogKey(hexadecimal: text)
      for compression in SealedCatalog.Compression.allCases {
        let file = try SealedCatalog.seal(list, key: key, compression: compression)
        #expect(try SealedCatalog.open(file, key: key) == list)
      }
    }
  }

  @Test("the random part is new each time")
  func random() throws {
    for text in Self.keys {
      let key = try CatalogKey(hexadecimal: text)
      let list = SealedVector.raw.list
      let files = try (0..<50).map { _ in try SealedCatalog.seal(list, key: key) }
      #expect(Set(files).count == 50)
      let start = key.format == .encrypted ? 0..<16 : 8..<20
      #expect(Set(files.map { Array($0[start]) }).count == 50)
    }
  }

  @Test("nothing is never sealed")
  func empty() throws {
    for text in Self.keys {
      let key = try CatalogKey(hexadecimal: text)
      #expect(throws: CatalogSealingFailure.empty) { try SealedCatalog.seal([], key: key) }
    }
  }

  @Test("a container says its compression")
  func header() throws {
    let key = try CatalogKey(hexadecimal: SealedVector.container.key)
    for compression in SealedCatalog.Compression.allCases {
      let file = try SealedCatalog.seal([1], key: key, compression: compression)
      #expect(Array(file.prefix(8)) == Array("SKPL".utf8) + [1, compression.rawValue, 0, 0])
    }
  }
}
