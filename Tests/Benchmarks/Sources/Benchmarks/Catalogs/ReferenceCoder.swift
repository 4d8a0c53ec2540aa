import Foundation

/// Apple's open reference coder of LZFSE, from the library that `Tests/CatalogReference/library` builds.
struct ReferenceCoder {
  private typealias Function =
    @convention(c) (
      UnsafeMutablePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int, UnsafeMutableRawPointer?
    ) -> Int

  private let encode: Function
  private let decode: Function

  /// Loads the library that `STOREKEEPER_LZFSE` names, or returns nil.
  init?() {
    guard let path = ProcessInfo.processInfo.environment["STOREKEEPER_LZFSE"],
      let library = dlopen(path, RTLD_NOW),
      let encode = dlsym(library, "lzfse_encode_buffer"),
      let decode = dlsym(library, "lzfse_decode_buffer")
    else { return nil }
    self.encode = unsafeBitCast(encode, to: Function.self)
    self.decode = unsafeBitCast(decode, to: Function.self)
  }

  /// Returns a compressed stream.
  func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let room = bytes.count + 4096
    return [UInt8](unsafeUninitializedCapacity: room) { output, count in
      count = encode(output.baseAddress, room, bytes, bytes.count, nil)
    }
  }

  /// Returns what a stream stands for, which has this many bytes.
  func decompressed(_ stream: [UInt8], count size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size + 1) { output, count in
      count = decode(output.baseAddress, size + 1, stream, stream.count, nil)
    }
  }
}
