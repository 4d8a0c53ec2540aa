import CatalogFiles
import StorekeeperCrypto
import Testing

/// Source: entitlement rules, sections 3.2, 3.3 and 11 (row 5).
@Suite("Vectors of sealed catalogues")
struct SealedVectorTests {
  @Test("each vector opens to its list", arguments: SealedVector.all)
  func opens(_ vector: SealedVector) throws {
    #expect(try SealedCatalog.open(vector.bytes, key: vector.catalogKey()) == vector.list)
  }

  @Test("the lists and the files have the stated sizes and digests")
  func sizes() throws {
    #expect(SealedVector.all.map(\.bytes.count) == [128, 192, 352, 126])
    #expect(SealedVector.all.map(\.list.count) == [90, 833, 4161, 90])
    #expect(
      hexadecimal(try SHA256.digest(of: SealedVector.entropy.list))
        == "35e8466e7cc57570a00b3ce746ff385abacc73cfd5ae45e6ca8c8ff7cf32c7fe")
  }

  @Test("the blocks of the vectors have the stated types")
  func magics() throws {
    let magics = try SealedVector.encrypted.map {
      String(decoding: try $0.stream.prefix(4), as: UTF8.self)
    }
    #expect(magics == ["bvx-", "bvxn", "bvx2"])
  }

  @Test("sealing gives the vectors that have no compression", arguments: ["V1", "V4"])
  func seals(name: String) throws {
    let vector = name == "V1" ? SealedVector.raw : SealedVector.container
    let file = try SealedCatalog.seal(
      vector.list, key: vector.catalogKey(), start: bytes(hexadecimal: vector.start))
    #expect(hexadecimal(file) == vector.file)
  }

  @Test("a block with plain tables, made of V3, decodes to the same list")
  func plainTables() throws {
    let block = try #require(EntropyBlock(packed: SealedVector.entropy.stream))
    #expect(block.literals == 152)
    #expect(block.matches == 41)
    #expect(block.literalPayload.count == 96)
    #expect(block.matchPayload.count == 57)
    #expect([block.literalBits, block.matchBits] == [-2, -6])
    let plain = block.plain + EntropyBlock.endMark
    #expect(plain.count == 929)
    #expect(
      hexadecimal(try SHA256.digest(of: plain))
        == "f70c3ee6b17d04a0c57a8d46930ed296528f86c0bdef5c385421fee25af77d32")
    #expect(try LZFSEDecoder().decoded(plain) == SealedVector.entropy.list)
    let key = try SealedVector.entropy.catalogKey()
    let file = try EncryptedScene.file(plain)
    #expect(try SealedCatalog.open(file, key: key) == SealedVector.entropy.list)
  }

  @Test("packing the tables of V3 again gives the same stream")
  func packedTables() throws {
    let stream = try SealedVector.entropy.stream
    let block = try #require(EntropyBlock(packed: stream))
    #expect(block.packed + EntropyBlock.endMark == stream)
  }
}

/// Files of the encrypted format with any content.
enum EncryptedScene {
  static let key: [UInt8] = (0..<16).map { 0x11 * $0 }
  static let vector: [UInt8] = (0..<16).map { 15 - $0 }

  static func file(_ stream: [UInt8]) throws -> [UInt8] {
    vector + (try AESCBC.encrypted(stream, key: key, vector: vector))
  }
}
