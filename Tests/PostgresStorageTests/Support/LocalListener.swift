import Foundation

/// A port of this machine whose connections nobody takes by itself.
struct LocalListener {
  let port: UInt16
  let descriptor: Int32

  private struct Refusal: Error {}

  init() throws {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isReady else { throw Refusal() }
    port = UInt16(bigEndian: address.sin_port)
    self.descriptor = descriptor
  }

  func end() { close(descriptor) }
}
