internal import CStorekeeperMicroHTTPD

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

final class Listener: Sendable {
  let port: UInt16
  private let socket: Int32

  init(host: String, port: UInt16) throws(ServerFailure) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0, let first = unsafe found
    else { throw .unknownHost(host) }
    defer { unsafe freeaddrinfo(first) }
    do throws(SystemError) {
      (socket, self.port) = unsafe try Self.listen(onFirstOf: first)
    } catch {
      throw .cannotListen(host: host, port: port, code: error.code)
    }
  }

  deinit { close(socket) }

  /// Returns the next client and its address, or nil after ``stop()``.
  func accept() -> (socket: Int32, address: ClientAddress)? {
    while true {
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let client = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Glibc.accept(socket, $0, &length)
        }
      }
      if client >= 0 {
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return (client, ClientAddress(address))
      }
      switch errno {
      case EINVAL, EBADF, ENOTSOCK: return nil
      // Interrupted by a signal, or the client disconnected.
      case EINTR, ECONNABORTED: continue
      // For example no free descriptor or memory: other connections may end meanwhile.
      default: usleep(20_000)
      }
    }
  }

  /// Refuses clients from now on, including those not accepted yet.
  func stop() { cmicrohttpd_end(socket) }

  private struct SystemError: Error { let code = errno }

  /// Listens on the first available address of a name; throws the error of the first if none is.
  private static func listen(
    onFirstOf first: UnsafeMutablePointer<addrinfo>
  ) throws(SystemError) -> (socket: Int32, port: UInt16) {
    do throws(SystemError) {
      return unsafe try listen(on: first.pointee)
    } catch {
      var next = unsafe first.pointee.ai_next
      while let address = unsafe next {
        if let found = unsafe try? listen(on: address.pointee) { return found }
        unsafe next = address.pointee.ai_next
      }
      throw error
    }
  }

  private static func listen(
    on address: addrinfo
  ) throws(SystemError) -> (socket: Int32, port: UInt16) {
    let socket = unsafe Glibc.socket(
      address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw SystemError() }
    do throws(SystemError) {
      var yes: Int32 = 1
      unsafe setsockopt(
        socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      guard unsafe bind(socket, address.ai_addr, address.ai_addrlen) == 0,
        Glibc.listen(socket, SOMAXCONN) == 0
      else { throw SystemError() }
      return (socket, try port(of: socket))
    } catch {
      close(socket)
      throw error
    }
  }

  /// Returns the port of a socket, which has the same offset in addresses of both families.
  private static func port(of socket: Int32) throws(SystemError) -> UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(socket, $0, &length)
      }
    }
    guard status == 0 else { throw SystemError() }
    return UInt16(bigEndian: address.sin6_port)
  }
}
