internal import CStorekeeperMicroHTTPD
internal import StorekeeperLocks

/// A libmicrohttpd daemon with one thread, which reads, parses and writes.
///
/// It does not listen: a daemon of version 0.9.75 that stops listening under load may end the
/// process. So clients are accepted elsewhere, and passed to ``add(_:)``.
@safe
final class Daemon: Sendable {
  private let handle: Locked<OpaquePointer?>
  /// The callbacks use it until the daemon is stopped.
  private let service: Service

  init(_ service: Service) throws(ServerFailure) {
    let configuration = service.configuration
    let handle = unsafe cmicrohttpd_start(
      2 * configuration.headerLimit + (8 << 10),
      // ``Connections`` enforces the limit: if this one were reached, the daemon's thread would
      // wait for itself in 0.9.75. A slot is freed a little after the end of its connection is
      // reported.
      2 * UInt32(configuration.connectionLimit) + 64, UInt32(configuration.idleTimeout),
      Self.receive, Self.begin, Self.complete, Self.notify,
      Unmanaged.passUnretained(service).toOpaque())
    guard let handle = unsafe handle else { throw .cannotStart }
    self.service = service
    unsafe self.handle = Locked(handle)
  }

  deinit { stop() }

  /// Passes on a client, which is closed in any case; returns false if it is closed now.
  func add(_ socket: Int32) -> Bool {
    // libmicrohttpd requires an address, and uses it only for limits by address.
    var address = sockaddr()
    address.sa_family = sa_family_t(AF_INET)
    return unsafe handle.withLock { handle in
      guard let handle = unsafe handle else {
        close(socket)
        return false
      }
      return unsafe MHD_add_connection(
        handle, socket, &address, socklen_t(MemoryLayout<sockaddr>.size)) == .YES
    }
  }

  /// Closes all connections, none of which may stay suspended, and waits for the thread.
  func stop() {
    let handle = unsafe handle.withLock { handle in
      defer { unsafe handle = nil }
      return unsafe handle
    }
    unsafe MHD_stop_daemon(handle)
  }

  // MARK: Callbacks, on the daemon's thread

  private static let begin:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { context, target, connection in
      guard let service = unsafe service(context), let handle = unsafe connection,
        let connection = unsafe cmicrohttpd_context(handle)
      else { return nil }
      let exchange = Exchange(
        service, unsafe Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue(),
        target: unsafe target.flatMap { unsafe String(validatingCString: $0) })
      return unsafe Unmanaged.passRetained(exchange).toOpaque()
    }

  private static let receive: MHD_AccessHandlerCallback = {
    _, connection, _, method, version, bytes, count, exchange in
    guard let exchange = unsafe exchange?.pointee, let count = unsafe count,
      let connection = unsafe connection
    else { return .NO }
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: count.pointee)
    unsafe count.pointee = 0
    let mayGoOn = unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
      .receive(piece, method: method, version: version, on: connection)
    return mayGoOn ? .YES : .NO
  }

  private static let complete: MHD_RequestCompletedCallback = { _, _, exchange, _ in
    guard let pointer = unsafe exchange?.pointee else { return }
    unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().end()
    unsafe exchange?.pointee = nil
  }

  private static let notify: MHD_NotifyConnectionCallback = { context, handle, connection, event in
    guard let service = unsafe service(context), let handle = unsafe handle else { return }
    let socket = unsafe cmicrohttpd_socket(handle)
    if event == .CONNECTION_NOTIFY_STARTED {
      guard let opened = service.connections.opened(socket) else { return }
      unsafe connection?.pointee = Unmanaged.passRetained(opened).toOpaque()
    } else {
      service.connections.closed(socket)
      guard let pointer = unsafe connection?.pointee else { return }
      unsafe Unmanaged<Connection>.fromOpaque(pointer).release()
      unsafe connection?.pointee = nil
    }
  }

  private static func service(_ context: UnsafeMutableRawPointer?) -> Service? {
    unsafe context.map { unsafe Unmanaged<Service>.fromOpaque($0).takeUnretainedValue() }
  }
}
