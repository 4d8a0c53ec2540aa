internal import JSONValues
internal import JWSVerifier
internal import StorekeeperCrypto
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AppReceiptVerifier {
  /// Verifies the signature of a receipt; returns its payload and the chain of the signer.
  func authenticPayload(
    of bytes: [UInt8], at now: Date
  ) throws(ReceiptFailure) -> (AppReceiptPayload, CertificateChain) {
    let container = try ReceiptContainer(der: bytes)
    let signer = container.signer
    let payload = AppReceiptPayload(bytes: bytes, range: container.content.indices)
    let creationDate: Date
    do throws(ReceiptFailure) {
      creationDate = try payload.creationDate()
    } catch {
      throw isAltered(container) ? .signatureInvalid : error
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
    let chain = try chain(of: container, among: certificates, at: moment)
    // The signature does not cover the certificates, so only fields that consist of nothing but the
    // chain are cached.
    if certificates.count <= 3, certificates.allSatisfy(chain.contains) {
      cache.insert(chain, on: container.certificateField, at: now.timeIntervalSince1970)
    }
    return (payload, chain)
  }

  /// Verifies the chain of a certificate that the signer names and whose key signed.
  ///
  /// Another certificate may have the same issuer and serial number, so each one is tried. If none
  /// verifies, the failure of the first is thrown.
  private func chain(
    of container: ReceiptContainer, among certificates: [Certificate], at moment: Date
  ) throws(ReceiptFailure) -> CertificateChain {
    var reason: ReceiptFailure?
    for leaf in certificates where container.signer.names(leaf) {
      do throws(ReceiptFailure) {
        let chain = try chainVerifier.receiptChain(
          of: leaf, among: certificates, at: moment, isForced: clockPolicy == .now)
        try container.signer.checkSignature(of: container.content, by: leaf)
        return chain
      } catch {
        reason = reason ?? error
      }
    }
    throw reason ?? .signerCertificateMissing
  }

  /// Returns whether unreadable content was altered after Apple signed it.
  ///
  /// The receipt gives no date, so each chain is checked at the start of the leaf's validity. The
  /// chain must be trusted all the same.
  private func isAltered(_ container: ReceiptContainer) -> Bool {
    guard let certificates = try? container.readCertificates() else { return false }
    return certificates.contains { leaf in
      let start = Date(timeIntervalSince1970: Double(leaf.validity.notBefore))
      return container.signer.names(leaf)
        && (try? chainVerifier.receiptChain(
          of: leaf, among: certificates, at: start, isForced: false)) != nil
        && !container.signer.isSignature(of: container.content, by: leaf)
    }
  }
}

extension ChainVerifier {
  /// Verifies the chain of a leaf at the creation date of the receipt, or at a time that the
  /// configuration forces.
  func receiptChain(
    of leaf: Certificate, among certificates: [Certificate], at moment: Date, isForced: Bool
  ) throws(ReceiptFailure) -> CertificateChain {
    do throws(ChainFault) {
      return try chain(of: leaf, among: certificates, at: moment.timeIntervalSince1970)
    } catch {
      let links = [leaf] + certificates.filter { leaf.names(asIssuer: $0) }
      let isForbidden = links.contains { $0.rsaDigest?.isPermitted == false }
      if isForbidden, error.mayComeFromPolicy { throw .weakAlgorithmForbidden }
      throw ReceiptFailure(error, forced: isForced ? moment : nil)
    }
  }
}

extension AppReceipt {
  /// Returns the environment of a receipt, if the app (any app for nil) and the environment are
  /// accepted.
  func acceptedEnvironment(
    bundleIDs: Set<String>?, environments: Set<AppStoreEnvironment>
  ) throws(ReceiptFailure) -> AppStoreEnvironment {
    if let bundleIDs, !bundleIDs.contains(where: { $0.isSameText(as: bundleID) }) {
      throw .bundleMismatch(found: bundleID)
    }
    guard let environment = receiptType.environment else {
      throw .environmentUnknown(receiptType.rawValue)
    }
    guard environments.contains(environment) else { throw .environmentNotAllowed(environment) }
    return environment
  }
}

extension CMSSigner {
  /// Checks that the key of a certificate signed the content.
  func checkSignature(of content: ArraySlice<UInt8>, by leaf: Certificate) throws(ReceiptFailure) {
    guard !isSignature(of: content, by: leaf) else { return }
    throw rsaDigest?.isPermitted == false ? .weakAlgorithmForbidden : .signatureInvalid
  }
}

extension ReceiptContainer {
  /// Parses the certificates.
  func readCertificates() throws(ReceiptFailure) -> [Certificate] {
    var read: [Certificate] = []
    for (index, der) in certificates.enumerated() {
      guard let certificate = Certificate(der: Array(der)) else {
        throw .chain(.certificateMalformed(index))
      }
      read.append(certificate)
    }
    return read
  }
}

extension ChainFault {
  /// Whether OpenSSL reports this fault on a platform that forbids an algorithm.
  fileprivate var mayComeFromPolicy: Bool {
    switch self {
    case .untrustedRoot, .signature, .refused, .unsupportedLeafKey:
      true
    default: false
    }
  }
}

extension ReceiptFailure {
  /// Creates the failure for a fault at the creation date of the receipt, or at a time that the
  /// configuration forces.
  init(_ fault: ChainFault, forced moment: Date?) {
    switch (fault, moment) {
    case (.certificateExpired(let index), let moment?),
      (.certificateNotYetValid(let index), let moment?):
      self = .certificateNotValidAt(moment, index)
    default: self = .chain(fault)
    }
  }
}
