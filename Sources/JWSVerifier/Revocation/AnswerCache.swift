internal import StorekeeperCrypto

/// A cache of signed OCSP answers, each kept until it expires.
///
/// "Unknown" is not cached: a responder may not know a new certificate yet.
struct AnswerCache {
  private struct Entry {
    let answer: OCSPAnswer
    let end: Int
    var lastUse: Int
  }

  private let limit: Int
  private var entries: [IssuedCertificate: Entry] = [:]
  private var uses = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Returns the answer about a certificate that is current at this time in seconds since 1970 UTC.
  mutating func answer(about certificate: IssuedCertificate, at now: Int) -> OCSPAnswer? {
    guard let entry = entries[certificate] else { return nil }
    guard now <= entry.end else {
      entries[certificate] = nil
      return nil
    }
    uses += 1
    entries[certificate]?.lastUse = uses
    return entry.answer
  }

  /// Inserts an answer, if it is current; a full cache evicts expired answers, or else the least
  /// recently used one.
  mutating func keep(_ answer: OCSPAnswer, about certificate: IssuedCertificate, at now: Int) {
    guard let end = answer.end, now <= end else { return }
    if entries[certificate] == nil, entries.count >= limit { makeRoom(at: now) }
    uses += 1
    entries[certificate] = Entry(answer: answer, end: end, lastUse: uses)
  }

  private mutating func makeRoom(at now: Int) {
    entries = entries.filter { now <= $0.value.end }
    guard entries.count >= limit,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    entries[oldest.key] = nil
  }
}

extension OCSPAnswer {
  /// The expiry of the answer in seconds since 1970 UTC, or nil if it may not be reused.
  fileprivate var end: Int? {
    switch self {
    case .good(let end), .revoked(let end): end
    case .unknown: nil
    }
  }
}
