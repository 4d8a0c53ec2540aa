import CStorekeeperOpenSSL
import Foundation
import StorekeeperCrypto
import Testing

@Suite("OpenSSL while the process of the tests ends")
struct OpenSSLAtExitTests {
  @Test("has its global data still, so that threads that end then free theirs")
  func globalData() async {
    await #expect(processExitsWith: .success) {
      // Handlers run in reverse order, so this one runs after any that OpenSSL registers.
      atexit { if OPENSSL_init_crypto(0, nil) != 1 { _exit(1) } }
      _ = try SHA256.digest(of: [])
    }
  }
}
