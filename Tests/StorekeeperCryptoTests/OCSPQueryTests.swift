import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("Questions to a responder")
struct OCSPQueryTests {
  private let scene: OCSPScene

  init() throws {
    scene = try OCSPScene()
  }

  @Test("asks about one certificate by SHA-1, with a nonce")
  func contents() throws {
    let query = try scene.leafQuery(nonce: [9, 8, 7])
    let received = try #require(OCSPReceivedQuery(der: query.der))
    let id = try OCSPCertificateID(
      of: scene.leaf.certificate, issuedBy: scene.intermediate.certificate)
    #expect(received.certificateID == id)
    #expect(received.nonce == [9, 8, 7])
    let sha1: [UInt8] = [0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A]
    #expect(query.der.firstRange(of: sha1) != nil)
  }

  @Test("asks without a nonce")
  func withoutNonce() throws {
    let query = try scene.leafQuery(nonce: nil)
    #expect(OCSPReceivedQuery(der: query.der)?.nonce == nil)
  }

  @Test("tells certificates of one issuer apart")
  func certificateIDs() throws {
    let issuer = scene.intermediate.certificate
    let other = try OCSPScene.identity("Leaf", 4, .p256, issuer: scene.intermediate)
    let one = try OCSPCertificateID(of: scene.leaf.certificate, issuedBy: issuer)
    #expect(try one == OCSPCertificateID(of: scene.leaf.certificate, issuedBy: issuer))
    #expect(try one != OCSPCertificateID(of: other.certificate, issuedBy: issuer))
  }

  @Test("stops the program on a nonce that no responder accepts")
  func nonceLength() async {
    await #expect(processExitsWith: .failure) {
      let scene = try OCSPScene()
      _ = try scene.leafQuery(nonce: [UInt8](repeating: 1, count: 33))
    }
    await #expect(processExitsWith: .failure) {
      let scene = try OCSPScene()
      _ = try scene.leafQuery(nonce: [])
    }
  }

  @Test(
    "does not take anything else for a question", arguments: [[], [0x30, 0x00], [0x05, 0x00]])
  func garbage(bytes: [UInt8]) {
    #expect(OCSPReceivedQuery(der: bytes) == nil)
  }
}
