internal import CStorekeeperMicroHTTPD

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What the system says of the number of an error.
func systemMessage(_ code: Int32) -> String {
  var text = [CChar](repeating: 0, count: 128)
  _ = unsafe strerror_r(code, &text, text.count)
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The processors of the machine.
enum Processors {
  /// How many are on line, at least 1.
  static var count: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// How many descriptors the process may have open.
public enum OpenFileLimit {
  /// Raises the limit to a number, as far as the system lets it; never lowers it.
  ///
  /// - Parameter number: How many descriptors are wanted.
  /// - Returns: How many may be open now, which may be fewer or more.
  public static func raise(to number: Int) -> Int {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    // A process that is not told its limit has to go on without knowing.
    guard unsafe getrlimit(kind, &limit) == 0 else { return number }
    guard limit.rlim_cur < number else { return Int(clamping: limit.rlim_cur) }
    let earlier = limit.rlim_cur
    limit.rlim_cur = min(rlim_t(number), limit.rlim_max)
    return Int(clamping: unsafe setrlimit(kind, &limit) == 0 ? limit.rlim_cur : earlier)
  }
}

/// The heaps of the C library, from which all memory comes.
public enum Heaps {
  /// Lets no more be made than a number; for the beginning of a program.
  ///
  /// glibc makes up to eight a core, of which each keeps the most that it ever held.
  public static func limit(to number: Int32) { cmicrohttpd_limit_heaps(number) }
}
