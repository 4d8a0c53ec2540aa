internal import StorekeeperCrypto

/// Signed answers of responders, each until its end; never more than a number of them.
///
/// "Unknown" is not kept: a responder may not have heard yet of a new certificate.
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

  /// The answer about a certificate that holds at this second since 1970 UTC.
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

  /// Keeps an answer, if it still holds; what has ended, or else what was not used for longest, makes
  /// room.
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
  /// Until when the answer may be used again, in seconds since 1970 UTC.
  fileprivate var end: Int? {
    switch self {
    case .good(let end), .revoked(let end): end
    case .unknown: nil
    }
  }
}
