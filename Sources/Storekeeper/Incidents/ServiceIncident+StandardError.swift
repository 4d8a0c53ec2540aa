internal import StorekeeperLocks

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
