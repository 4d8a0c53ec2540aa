internal import StorekeeperLocks

/// A log of incidents, with at most one line for each kind and minute.
///
/// The first incident of a kind gets a line at once. Those of the next minute are counted, and the next line of the
/// kind has their number.
package final class IncidentLog: Sendable {
  private struct Silence {
    let end: Duration
    var leftOut = 0
  }

  /// The time without a line after one of the same kind.
  private static let pause = Duration.seconds(60)

  private let time: Stopwatch
  private let write: @Sendable (String) -> Void
  private let silences = Locked<[String: Silence]>([:])

  /// Creates a log; `write` receives each line, without its end.
  package init(clock: some Clock<Duration>, write: @escaping @Sendable (String) -> Void) {
    time = Stopwatch(clock)
    self.write = write
  }

  package func note(_ incident: ServiceIncident) {
    guard let leftOut = leftOut(of: incident.words.kind) else { return }
    var line = "storekeeper: \(incident)"
    if leftOut > 0 { line += " (and \(leftOut) more since the last line)" }
    write(line.printable)
  }

  /// Returns the number of incidents without a line since the last line of a kind, or nil if there is none now.
  private func leftOut(of kind: String) -> Int? {
    let now = time.elapsed
    return silences.withLock { silences in
      let silence = silences[kind]
      if let silence, now < silence.end {
        silences[kind]?.leftOut += 1
        return nil
      }
      silences[kind] = Silence(end: now + Self.pause)
      return silence?.leftOut ?? 0
    }
  }
}

extension String {
  /// The text on one line and of bounded length, as parts of it may come from elsewhere.
  fileprivate var printable: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(1000) {
      let isControl = scalar.properties.generalCategory == .control
      let isLineEnd = scalar == "\u{2028}" || scalar == "\u{2029}"
      text.append(isControl || isLineEnd ? "?" : scalar)
    }
    return String(text)
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension ServiceIncident {
  /// The report of a service whose host gives none: a line on standard error.
  ///
  /// ```
  /// storekeeper: a refresh failed: sourceFailed
  /// storekeeper: a refresh failed: sourceFailed (and 41 more since the last line)
  /// ```
  ///
  /// Each kind of incident gets at most one line a minute, for the whole process; the next line has the number of
  /// those that were left out. A line has the ``description`` of the incident, which holds no secret.
  ///
  /// To write to a log of your own instead, give the service a `report`, such as `{ logger.warning("\($0)") }`;
  /// `{ _ in }` is silent.
  public static let toStandardError: @Sendable (ServiceIncident) -> Void = {
    standardError.note($0)
  }

  private static let standardError = IncidentLog(clock: ContinuousClock()) { line in
    // One call for the whole line, so that those of several threads don't mix.
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
