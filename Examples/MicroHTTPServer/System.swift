internal import CStorekeeperMicroHTTPD

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Returns the system's message for an error number.
func systemMessage(_ code: Int32) -> String {
  var text = [CChar](repeating: 0, count: 128)
  _ = unsafe strerror_r(code, &text, text.count)
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

enum Processors {
  /// The number of processors that the process may use, at least 1: those it may run on, or fewer
  /// if its control group has the time of fewer.
  static var count: Int { max(1, Int(cmicrohttpd_processors())) }
}

/// The limit of open file descriptors of the process.
public enum OpenFileLimit {
  /// Raises the limit to a number, as far as the system permits; never lowers it.
  ///
  /// - Returns: The limit from now on, which may be lower or higher.
  public static func raise(to number: Int) -> Int {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    // If the limit is unknown, the process continues without it.
    guard unsafe getrlimit(kind, &limit) == 0 else { return number }
    guard limit.rlim_cur < number else { return Int(clamping: limit.rlim_cur) }
    let earlier = limit.rlim_cur
    limit.rlim_cur = min(rlim_t(number), limit.rlim_max)
    return Int(clamping: unsafe setrlimit(kind, &limit) == 0 ? limit.rlim_cur : earlier)
  }
}

/// The heaps of the C library, which allocate all memory.
public enum Heaps {
  /// Limits the number of heaps; call it when the program starts.
  ///
  /// glibc makes up to eight for each core, and each keeps the most memory that it ever held.
  public static func limit(to number: Int32) { cmicrohttpd_limit_heaps(number) }
}
