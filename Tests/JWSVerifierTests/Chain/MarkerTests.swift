import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Apple's markers in the certificates")
struct MarkerTests {
  private static let intermediateMarker = "1.2.840.113635.100.6.2.1"
  private static let leafMarker = "1.2.840.113635.100.6.11.1"

  static let attacks: [ChainAttack] = [
    ChainAttack("a leaf without marker", .chain(.missingLeafMarker)) { $0.leaf.markers = [] },
    ChainAttack("a leaf with the marker of something else", .chain(.missingLeafMarker)) {
      $0.leaf.markers = ["1.2.840.113635.100.6.11.2"]
    },
    ChainAttack("a leaf with a longer type that begins with the marker", .chain(.missingLeafMarker))
    {
      $0.leaf.markers = [leafMarker + ".1"]
    },
    ChainAttack("a leaf with the beginning of the marker", .chain(.missingLeafMarker)) {
      $0.leaf.markers = ["1.2.840.113635.100.6.11"]
    },
    ChainAttack("an intermediate without marker", .chain(.missingIntermediateMarker)) {
      $0.intermediate.markers = []
    },
    ChainAttack("an intermediate with the marker of another", .chain(.missingIntermediateMarker)) {
      $0.intermediate.markers = ["1.2.840.113635.100.6.2.2"]
    },
    ChainAttack("no marker at all", .chain(.missingIntermediateMarker)) {
      $0.intermediate.markers = []
      $0.leaf.markers = []
    },
    ChainAttack("both markers, each in the other certificate", .chain(.missingIntermediateMarker)) {
      $0.intermediate.markers = [leafMarker]
      $0.leaf.markers = [intermediateMarker]
    },
    ChainAttack("the leaf's marker in the intermediate only", .chain(.missingLeafMarker)) {
      $0.intermediate.markers.append(leafMarker)
      $0.leaf.markers = []
    },
    ChainAttack("the intermediate's marker in the leaf only", .chain(.missingIntermediateMarker)) {
      $0.intermediate.markers = []
      $0.leaf.markers.append(intermediateMarker)
    },
    ChainAttack("both markers in the root only", .chain(.missingIntermediateMarker)) {
      $0.root.markers = [intermediateMarker, leafMarker]
      $0.intermediate.markers = []
      $0.leaf.markers = []
    },
  ]

  @Test("each marker has to be in its own certificate", arguments: attacks)
  func attack(row: ChainAttack) throws {
    let authority = try TestAuthority(row.change)
    let token = try authority.sign(Sample.transaction())
    #expect(throws: row.reason) { try authority.verifier().transaction(token) }
    #expect(throws: row.reason) { try authority.pinningVerifier().transaction(token) }
  }

  /// Under an anchor in DER, the third certificate is not part of the chain.
  @Test(
    "a marker on a certificate that is presented but not verified counts for nothing",
    arguments: [
      ChainAttack("the intermediate's", .chain(.missingIntermediateMarker)) {
        $0.intermediate.markers = []
      },
      ChainAttack("the leaf's", .chain(.missingLeafMarker)) { $0.leaf.markers = [] },
    ])
  func outsideTheChain(row: ChainAttack) throws {
    let authority = try TestAuthority(row.change)
    let stranger = try TestAuthority {
      $0.root.markers = [Self.intermediateMarker, Self.leafMarker]
    }
    let token = try ForgedCertificate(certificate: authority.leaf, key: authority.leafKey)
      .sign(x5c: [authority.leaf, authority.intermediate, stranger.root])
    #expect(throws: row.reason) { try authority.verifier().transaction(token) }
  }

  @Test("markers count whether critical or not, and beside others")
  func accepted() throws {
    let authorities = [
      try TestAuthority { $0.leaf.markersAreCritical = true },
      try TestAuthority { $0.intermediate.markersAreCritical = true },
      try TestAuthority {
        $0.leaf.markersAreCritical = true
        $0.intermediate.markersAreCritical = true
        $0.leaf.markers.append(Self.intermediateMarker)
        $0.intermediate.markers.append(Self.leafMarker)
      },
      try TestAuthority { $0.leaf.markers.append("1.2.840.113635.100.6.11.2") },
    ]
    for authority in authorities {
      let token = try authority.sign(Sample.transaction())
      #expect(try authority.verifier().transaction(token).token == token)
    }
  }
}
