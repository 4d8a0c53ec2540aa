public import JWSVerifier
package import StorekeeperCrypto
public import JSONValues
import ReceiptModels

/// A certificate authority like Apple's, made in code, that signs any payload.
///
/// Its tokens really verify, with a verifier that trusts ``trustAnchor``:
///
/// ```swift
/// let authority = try TestAuthority()
/// let verifier = try SignedDataVerifier(
///   apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
///   trustAnchors: [authority.trustAnchor])
/// let transaction = try verifier.transaction(try authority.sign(payload))
/// ```
///
/// Any part can be wrong on request: `try TestAuthority { $0.leaf.markers = [] }` signs tokens that
/// are refused with `missingLeafMarker`. Keys are new each time and exist in memory only.
public struct TestAuthority: Sendable {
  /// What the certificates look like and how they are presented.
  public struct Shape: Hashable, Sendable {
    /// The root, self-signed.
    public var root = TestCertificate(
      commonName: "Storekeeper Test Root", key: .p384, isAuthority: true,
      keyUsage: "keyCertSign,cRLSign")
    /// The intermediate, with Apple's mark of the Worldwide Developer Relations authority.
    public var intermediate = TestCertificate(
      commonName: "Storekeeper Test Intermediate", key: .p384, isAuthority: true, pathLength: 0,
      keyUsage: "keyCertSign,cRLSign", markers: ["1.2.840.113635.100.6.2.1"])
    /// The leaf, with Apple's mark for signing App Store data.
    public var leaf = TestCertificate(
      commonName: "Storekeeper Test Signing", key: .p256, isAuthority: false,
      keyUsage: "digitalSignature", markers: ["1.2.840.113635.100.6.11.1"])
    /// The certificates in `x5c`, in this order.
    public var presented: [Position] = [.leaf, .intermediate, .root]
    /// Whose key signs the payload.
    public var signer: Signer = .leaf

    /// The shape of a right chain.
    public init() {}
  }

  /// A place in the chain.
  public enum Position: Hashable, Sendable {
    /// The certificate whose key signs.
    case leaf
    /// The certificate that issued the leaf.
    case intermediate
    /// The trust anchor.
    case root
  }

  /// Whose key signs a payload.
  public enum Signer: Hashable, Sendable {
    /// The leaf's, as it has to be.
    case leaf
    /// A key that no certificate names.
    case stranger
  }

  /// The shape that was asked for.
  public let shape: Shape

  package let root: Certificate
  package let intermediate: Certificate
  package let leaf: Certificate
  package let rootKey: PrivateKey
  package let intermediateKey: PrivateKey
  package let leafKey: PrivateKey

  /// Makes an authority.
  ///
  /// - Parameter change: Changes what it looks like; by default nothing.
  /// - Throws: When OpenSSL refuses to make such certificates.
  public init(_ change: (inout Shape) -> Void = { _ in }) throws {
    var shape = Shape()
    change(&shape)
    let rootKey = try shape.root.makeKey()
    let root = try shape.root.builder(serialNumber: 1)
      .certificate(for: rootKey, issuedBy: nil, signedWith: rootKey)
    try self.init(shape: shape, root: root, rootKey: rootKey)
  }

  private init(shape: Shape, root: Certificate, rootKey: PrivateKey) throws {
    let intermediateKey = try shape.intermediate.makeKey()
    let intermediate = try shape.intermediate.builder(serialNumber: 2)
      .certificate(for: intermediateKey, issuedBy: root, signedWith: rootKey)
    try self.init(
      shape: shape, root: root, rootKey: rootKey, intermediate: intermediate,
      intermediateKey: intermediateKey)
  }

  private init(
    shape: Shape, root: Certificate, rootKey: PrivateKey, intermediate: Certificate,
    intermediateKey: PrivateKey
  ) throws {
    self.shape = shape
    self.root = root
    self.rootKey = rootKey
    self.intermediate = intermediate
    self.intermediateKey = intermediateKey
    leafKey = try shape.leaf.makeKey()
    let random = try SecureRandom.bytes(count: 7)
    let serialNumber = random.reduce(1) { $0 << 8 | Int($1) }
    leaf = try shape.leaf.builder(serialNumber: serialNumber)
      .certificate(for: leafKey, issuedBy: intermediate, signedWith: intermediateKey)
  }

  /// An authority with the same root and intermediate and a new leaf, as after Apple's rotation.
  ///
  /// - Parameter change: Changes what the leaf looks like and how the chain is presented; changes
  ///   to the other certificates have no effect.
  /// - Returns: An authority for the same trust anchor.
  /// - Throws: When OpenSSL refuses to make such a certificate.
  public func withNewLeaf(_ change: (inout Shape) -> Void = { _ in }) throws -> TestAuthority {
    var shape = shape
    change(&shape)
    return try TestAuthority(
      shape: shape, root: root, rootKey: rootKey, intermediate: intermediate,
      intermediateKey: intermediateKey)
  }

  /// An authority with the same root and a new intermediate and leaf.
  ///
  /// - Parameter change: Changes what they look like and how the chain is presented; changes to
  ///   the root have no effect.
  /// - Returns: An authority for the same trust anchor.
  /// - Throws: When OpenSSL refuses to make such certificates.
  public func withNewIntermediate(
    _ change: (inout Shape) -> Void = { _ in }
  ) throws -> TestAuthority {
    var shape = shape
    change(&shape)
    return try TestAuthority(shape: shape, root: root, rootKey: rootKey)
  }
}

// MARK: Trust

extension TestAuthority {
  /// The root as trust anchor.
  ///
  /// - Throws: `TrustAnchor.Failure` for a root that was asked to be no authority.
  public var trustAnchor: TrustAnchor {
    get throws { try TrustAnchor(certificate: root.der) }
  }

  /// The root as trust anchor by its fingerprint, as Apple's is built in.
  public var fingerprintAnchor: TrustAnchor {
    get throws { try TrustAnchor(sha256: try SHA256.digest(of: root.der)) }
  }

  /// The bytes of a certificate in DER.
  public func certificate(_ position: Position) -> [UInt8] {
    switch position {
    case .leaf: leaf.der
    case .intermediate: intermediate.der
    case .root: root.der
    }
  }
}

// MARK: Signing

extension TestAuthority {
  /// The header of the tokens: ES256 and the certificates in the order asked for.
  public var header: [String: JSONValue] {
    let certificates = shape.presented.map { Base64.encode(certificate($0), .standard) }
    return ["alg": .string("ES256"), "x5c": .array(certificates.map(JSONValue.string))]
  }

  /// A compact JWS over a payload.
  public func sign(_ payload: some JSONModel) throws -> String {
    try sign(payload.json.serialized, header: header)
  }

  /// A compact JWS over a JSON value.
  public func sign(_ payload: JSONValue) throws -> String {
    try sign(payload.serialized, header: header)
  }

  /// A compact JWS over any bytes, with any header.
  public func sign(_ payload: [UInt8], header: [String: JSONValue]) throws -> String {
    try sign(payload, headerBytes: JSONValue.object(header).serialized)
  }

  /// A compact JWS over any bytes, with any bytes as header.
  public func sign(_ payload: [UInt8], headerBytes: [UInt8]) throws -> String {
    let content = Base64.encode(headerBytes, .url) + "." + Base64.encode(payload, .url)
    let key =
      switch shape.signer {
      case .leaf: leafKey
      case .stranger: try PrivateKey(generating: .p256)
      }
    let signature = try key.signature(of: Array(content.utf8))
    // Keys other than P-256 give signatures of other forms, which are presented as they are.
    let raw = ECDSASignature(der: signature)?.rawBytes ?? signature
    return content + "." + Base64.encode(raw, .url)
  }
}
