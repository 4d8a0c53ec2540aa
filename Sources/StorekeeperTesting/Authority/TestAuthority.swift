public import JWSVerifier
package import StorekeeperCrypto
public import JSONValues
import ReceiptModels

/// A certificate authority like Apple's for tests, which signs any payload.
///
/// Its tokens verify with a verifier that trusts ``trustAnchor``:
///
/// ```swift
/// let authority = try TestAuthority()
/// let verifier = try SignedDataVerifier(
///   apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
///   trustAnchors: [authority.trustAnchor])
/// let transaction = try verifier.transaction(try authority.sign(payload))
/// ```
///
/// The chain has the form of Apple's: authorities on P-384, a leaf on P-256, and key identifiers, so
/// that strict verifiers accept it too.
///
/// Any part can be made wrong: `try TestAuthority { $0.leaf.markers = [] }` signs tokens that are
/// refused with `missingLeafMarker`. Keys are generated each time and exist only in memory.
public struct TestAuthority: Sendable {
  /// The shape of the certificates and of their presentation.
  public struct Shape: Hashable, Sendable {
    /// The self-signed root.
    public var root = TestCertificate(
      commonName: "Storekeeper Test Root CA - G3",
      organizationalUnit: "Storekeeper Test Certification Authority", key: .p384,
      isAuthority: true, keyUsage: "keyCertSign,cRLSign")
    /// The intermediate, with the marker extension of Apple's Worldwide Developer Relations
    /// authority.
    public var intermediate = TestCertificate(
      commonName: "Storekeeper Test Developer Relations Certification Authority",
      organizationalUnit: "G6", key: .p384, isAuthority: true,
      keyUsage: "keyCertSign,cRLSign", markers: ["1.2.840.113635.100.6.2.1"])
    /// The leaf, with Apple's marker extension for signing App Store data.
    public var leaf = TestCertificate(
      commonName: "Test ECC Mac App Store and iTunes Store Receipt Signing",
      organizationalUnit: "Storekeeper Test Developer Relations", key: .p256, isAuthority: false,
      keyUsage: "digitalSignature", markers: ["1.2.840.113635.100.6.11.1"])
    /// The certificates in `x5c`, in order.
    public var presented: [Position] = [.leaf, .intermediate, .root]
    /// The key that signs the payload.
    public var signer: Signer = .leaf

    /// Creates the shape of a valid chain.
    public init() { intermediate.pathLength = 0 }
  }

  /// A position in the chain.
  public enum Position: Hashable, Sendable {
    /// The certificate whose key signs data.
    case leaf
    /// The certificate that issued the leaf.
    case intermediate
    case root
  }

  /// The key that signs a payload.
  public enum Signer: Hashable, Sendable {
    /// The key of the leaf, as required.
    case leaf
    /// A key without a certificate.
    case stranger
  }

  public let shape: Shape

  package let root: Certificate
  package let intermediate: Certificate
  package let leaf: Certificate
  package let rootKey: PrivateKey
  package let intermediateKey: PrivateKey
  package let leafKey: PrivateKey

  /// Creates an authority.
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

  /// Creates an authority with the same root and intermediate and a new leaf, as after a key
  /// rotation.
  ///
  /// Changes to the other certificates have no effect.
  public func withNewLeaf(_ change: (inout Shape) -> Void = { _ in }) throws -> TestAuthority {
    var shape = shape
    change(&shape)
    return try TestAuthority(
      shape: shape, root: root, rootKey: rootKey, intermediate: intermediate,
      intermediateKey: intermediateKey)
  }

  /// Creates an authority with the same root and a new intermediate and leaf.
  ///
  /// Changes to the root have no effect.
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
  /// - Throws: `TrustAnchor.Failure` if the shape makes the root no authority.
  public var trustAnchor: TrustAnchor { get throws { try TrustAnchor(certificate: root.der) } }

  /// The root as trust anchor by its fingerprint, like Apple's built-in roots.
  public var fingerprintAnchor: TrustAnchor {
    get throws { try TrustAnchor(sha256: try SHA256.digest(of: root.der)) }
  }

  /// Returns a certificate in DER.
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
  /// The header of the tokens: ES256 and the presented certificates.
  public var header: [String: JSONValue] {
    let certificates = shape.presented.map { Base64.encode(certificate($0), .standard) }
    return ["alg": .string("ES256"), "x5c": .array(certificates.map(JSONValue.string))]
  }

  /// Signs a payload as a compact JWS.
  public func sign(_ payload: some JSONModel) throws -> String {
    try sign(payload.json.serialized, header: header)
  }

  /// Signs a JSON value as a compact JWS.
  public func sign(_ payload: JSONValue) throws -> String {
    try sign(payload.serialized, header: header)
  }

  /// Signs any bytes, with any header, as a compact JWS.
  public func sign(_ payload: [UInt8], header: [String: JSONValue]) throws -> String {
    try sign(payload, headerBytes: JSONValue.object(header).serialized)
  }

  /// Signs any bytes, with any bytes as header, as a compact JWS.
  public func sign(_ payload: [UInt8], headerBytes: [UInt8]) throws -> String {
    let content = Base64.encode(headerBytes, .url) + "." + Base64.encode(payload, .url)
    let key =
      switch shape.signer {
      case .leaf: leafKey
      case .stranger: try PrivateKey(generating: .p256)
      }
    let signature = try key.signature(of: Array(content.utf8))
    // The signatures of other keys have another form and are used unchanged.
    let raw = ECDSASignature(der: signature)?.rawBytes ?? signature
    return content + "." + Base64.encode(raw, .url)
  }
}
