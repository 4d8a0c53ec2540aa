internal import JWSVerifier
internal import OpenSSLSupport
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AppReceiptVerifier {
  /// The payload of a receipt that Apple signed, and the chain that says so; the numbers are those
  /// of the steps in the contract, section 6.2.
  func authenticPayload(
    of bytes: [UInt8], at now: Date
  ) throws(ReceiptFailure) -> (AppReceiptPayload, CertificateChain) {
    let container = try ReceiptContainer(der: bytes)  // 1
    let signer = try container.message.onlySigner()  // 2
    guard let content = container.message.content else { throw .malformedContainer }
    let payload = AppReceiptPayload(bytes: content)
    let creationDate: Date
    do throws(ReceiptFailure) {
      creationDate = try payload.creationDate()  // 3
    } catch {
      // An altered byte may have made it unreadable; then that is the reason.
      let leaf = try? container.leaf(of: signer)
      throw leaf.map(container.message.isSigned(by:)) == false ? .signatureInvalid : error
    }
    guard creationDate <= now.addingTimeInterval(ReceiptLimits.clockLeeway) else {
      throw .creationDateInFuture
    }
    let moment = clockPolicy == .now ? now : creationDate
    let known = cache.verdict(on: container.certificateField, at: now.timeIntervalSince1970)
    if let known, signer.names(known.leaf), known.validity.contains(moment.timeIntervalSince1970) {
      try container.checkSignature(by: known.leaf, signer)
      return (payload, known)
    }
    let chain = try chain(of: container, signer, at: moment)  // 4 to 6
    try container.checkSignature(by: chain.leaf, signer)  // 7
    cache.insert(chain, on: container.certificateField, at: now.timeIntervalSince1970)
    return (payload, chain)
  }

  /// The verified chain of the certificate that the signer names.
  private func chain(
    of container: ReceiptContainer, _ signer: CMSMessage.Signer, at moment: Date
  ) throws(ReceiptFailure) -> CertificateChain {
    let certificates = try container.readCertificates()
    guard let leaf = certificates.first(where: signer.names) else {
      throw .signerCertificateMissing
    }
    return try chainVerifier.receiptChain(
      of: leaf, among: certificates, at: moment, isForced: clockPolicy == .now)
  }
}

extension ChainVerifier {
  /// The verified chain of a leaf, judged when the receipt was made or at a moment that the
  /// configuration forces.
  func receiptChain(
    of leaf: Certificate, among certificates: [Certificate], at moment: Date, isForced: Bool
  ) throws(ReceiptFailure) -> CertificateChain {
    do throws(ChainFailure) {
      return try chain(of: leaf, among: certificates, at: moment.timeIntervalSince1970)
    } catch {
      if error.mayComeFromPolicy, certificates.contains(where: { !$0.permitsReceiptDigests }) {
        throw .weakAlgorithmForbidden
      }
      throw ReceiptFailure(error, forced: isForced ? moment : nil)
    }
  }
}

extension ReceiptContainer {
  /// The certificates, read.
  func readCertificates() throws(ReceiptFailure) -> [Certificate] {
    guard certificates.count <= ReceiptLimits.certificates else {
      throw .tooManyCertificates(limit: ReceiptLimits.certificates)
    }
    var read: [Certificate] = []
    for (index, der) in certificates.enumerated() {
      guard der.count <= ReceiptLimits.certificateSize else {
        throw .certificateTooLarge(limit: ReceiptLimits.certificateSize)
      }
      guard let certificate = Certificate(der: Array(der)) else {
        throw .certificateMalformed(index)
      }
      read.append(certificate)
    }
    return read
  }

  /// The certificate that the signer names, whoever issued it.
  func leaf(of signer: CMSMessage.Signer) throws(ReceiptFailure) -> Certificate {
    guard let leaf = try readCertificates().first(where: signer.names) else {
      throw .signerCertificateMissing
    }
    return leaf
  }

  /// Checks that the leaf's key signed the content.
  func checkSignature(
    by leaf: Certificate, _ signer: CMSMessage.Signer
  ) throws(ReceiptFailure) {
    guard !message.isSigned(by: leaf) else { return }
    let isPermitted = signer.rsaDigest.map { leaf.publicKey?.isPermitted($0) == true }
    throw isPermitted == true ? .signatureInvalid : .weakAlgorithmForbidden
  }
}

extension Certificate {
  /// Whether the platform lets its key verify what receipts are signed with.
  fileprivate var permitsReceiptDigests: Bool {
    guard namesRSAKey else { return true }
    guard let publicKey else { return false }
    return publicKey.isPermitted(.sha1) && publicKey.isPermitted(.sha256)
  }
}

extension ChainFailure {
  /// Whether a platform that forbids an algorithm makes OpenSSL say this.
  fileprivate var mayComeFromPolicy: Bool {
    switch self {
    case .untrustedRoot, .chainInvalid(.signature), .chainInvalid(.refused), .unsupportedLeafKey:
      true
    default: false
    }
  }
}

extension ReceiptFailure {
  /// The same reason for a receipt, whose certificates were judged when it was made, or at a moment
  /// that the configuration forces.
  init(_ failure: ChainFailure, forced moment: Date?) {
    self =
      switch failure {
      case .certificateMalformed(let index): .certificateMalformed(index)
      case .untrustedRoot: .untrustedRoot
      case .chainInvalid(let fault): .chainInvalid(fault)
      case .notACertificateAuthority(let index): .chainInvalid(.notAnAuthority(index))
      case .certificateExpired(let index):
        moment.map { .certificateNotValidAt($0, index) } ?? .certificateExpired(index)
      case .certificateNotYetValid(let index):
        moment.map { .certificateNotValidAt($0, index) } ?? .certificateNotYetValid(index)
      case .missingIntermediateMarker: .missingIntermediateMarker
      case .missingLeafMarker: .missingLeafMarker
      case .unsupportedLeafKey: .unsupportedLeafKey
      }
  }
}
