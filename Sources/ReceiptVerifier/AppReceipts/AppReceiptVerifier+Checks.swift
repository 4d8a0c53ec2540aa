internal import JWSVerifier
internal import StorekeeperCrypto
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
    let container = try ReceiptContainer(der: bytes)  // 1, 2
    let signer = try container.message.onlySigner()  // 2
    let payload = AppReceiptPayload(bytes: container.content)
    let creationDate: Date
    do throws(ReceiptFailure) {
      creationDate = try payload.creationDate()  // 3
    } catch {
      throw isAltered(container, signer) ? .signatureInvalid : error
    }
    guard creationDate <= now.addingTimeInterval(ReceiptLimits.clockLeeway) else {
      throw .creationDateInFuture
    }
    let moment = clockPolicy == .now ? now : creationDate
    let known = cache.verdict(on: container.certificateField, at: now.timeIntervalSince1970)
    if let known, signer.names(known.leaf), known.validity.contains(moment.timeIntervalSince1970),
      signer.isSignature(of: container.content, by: known.leaf)
    {
      return (payload, known)
    }
    let certificates = try container.readCertificates()
    let chain = try chain(of: container, signer, among: certificates, at: moment)  // 4 to 7
    // The signature does not cover the certificates: only what has few forms is remembered.
    if certificates.count <= 3, certificates.allSatisfy(chain.contains) {
      cache.insert(chain, on: container.certificateField, at: now.timeIntervalSince1970)
    }
    return (payload, chain)
  }

  /// The verified chain of a certificate that the signer names and whose key signed.
  ///
  /// A stranger's certificate may bear the same issuer and serial number, so each is tried; if none
  /// will do, the reason of the first counts.
  private func chain(
    of container: ReceiptContainer, _ signer: CMSMessage.Signer, among certificates: [Certificate],
    at moment: Date
  ) throws(ReceiptFailure) -> CertificateChain {
    var reason: ReceiptFailure?
    for leaf in certificates where signer.names(leaf) {
      do throws(ReceiptFailure) {
        let chain = try chainVerifier.receiptChain(
          of: leaf, among: certificates, at: moment, isForced: clockPolicy == .now)
        try signer.checkSignature(of: container.content, by: leaf)
        return chain
      } catch {
        reason = reason ?? error
      }
    }
    throw reason ?? .signerCertificateMissing
  }

  /// Whether content that cannot be read was altered after Apple signed it.
  ///
  /// The moment is of our choosing, as the receipt does not tell one; a trusted key has to be found
  /// all the same.
  private func isAltered(_ container: ReceiptContainer, _ signer: CMSMessage.Signer) -> Bool {
    guard let certificates = try? container.readCertificates() else { return false }
    return certificates.contains { leaf in
      let start = Date(timeIntervalSince1970: Double(leaf.validity.notBefore))
      return signer.names(leaf)
        && (try? chainVerifier.receiptChain(
          of: leaf, among: certificates, at: start, isForced: false)) != nil
        && !signer.isSignature(of: container.content, by: leaf)
    }
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
      let links = [leaf] + certificates.filter { leaf.names(asIssuer: $0) }
      let isForbidden = links.contains { $0.rsaDigest?.isPermitted == false }
      if isForbidden, error.mayComeFromPolicy { throw .weakAlgorithmForbidden }
      throw ReceiptFailure(error, forced: isForced ? moment : nil)
    }
  }
}

extension CMSMessage.Signer {
  /// Checks that the key of a certificate signed the content (contract, section 6.2, step 7).
  func checkSignature(of content: [UInt8], by leaf: Certificate) throws(ReceiptFailure) {
    guard !isSignature(of: content, by: leaf) else { return }
    throw rsaDigest?.isPermitted == false ? .weakAlgorithmForbidden : .signatureInvalid
  }
}

extension ReceiptContainer {
  /// The certificates, read.
  func readCertificates() throws(ReceiptFailure) -> [Certificate] {
    var read: [Certificate] = []
    for (index, der) in certificates.enumerated() {
      guard let certificate = Certificate(der: Array(der)) else {
        throw .certificateMalformed(index)
      }
      read.append(certificate)
    }
    return read
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
