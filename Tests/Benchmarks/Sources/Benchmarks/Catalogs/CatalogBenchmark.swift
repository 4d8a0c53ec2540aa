import CatalogFiles
import Foundation
import LZFSECoder

/// Opening sealed product lists: 100 MB of plain text a second or more, LZFSE alone at 0.4 of the reference decoder's
/// speed or more.
struct CatalogBenchmark {
  private let reference: ReferenceCoder
  private let samples: [Sample]
  private let keys = (
    encrypted: String(repeating: "5a", count: 16), authenticated: String(repeating: "5a", count: 32)
  )

  /// A list, and its compressed stream.
  private struct Sample {
    let title: String
    let list: [UInt8]
    let stream: [UInt8]
  }

  /// Creates the samples, or returns nil without the reference coder, which compresses them.
  init?() {
    guard let reference = ReferenceCoder() else { return nil }
    self.reference = reference
    samples = [
      ("4 MB with addresses and digests", Self.richList(bytes: 4_000_000)),
      ("2 MB of short elements", Self.plainList(bytes: 2_000_000)),
      ("3 kB", Self.richList(bytes: 3000)),
    ].map { Sample(title: $0, list: $1, stream: reference.compressed($1)) }
  }

  func run(rounds: Int) throws {
    print(
      "sealed catalogues, CPU time on one thread, medians "
        + "(opening 100 MB/s or more; the decoder at 0.4 of the reference or more)")
    for sample in samples { try measure(sample, rounds: rounds) }
    print("hostile files of 8 MiB, the longest of \(rounds) rounds (1 s or less)")
    for (title, stream) in HostileStreams.all { try measure(title, stream, rounds: rounds) }
  }

  private func measure(_ sample: Sample, rounds: Int) throws {
    let encryptedKey = try CatalogKey(hexadecimal: keys.encrypted)
    let authenticatedKey = try CatalogKey(hexadecimal: keys.authenticated)
    // Our writer does not compress, so the compressed stream is sealed as if it were a list, and decoded after
    // opening. That is one copy more than opening a file that another program compressed.
    let encrypted = try SealedCatalog.seal(sample.stream, key: encryptedKey)
    let authenticated = try SealedCatalog.seal(sample.stream, key: authenticatedKey)
    let size = sample.list.count
    let count = max(1, 8_000_000 / size)
    var costs = Measurement()
    for _ in 0..<rounds {
      try costs.add("decoder", count: count) {
        for _ in 0..<count {
          let list = try LZFSEDecoder().decoded(sample.stream)
          precondition(list.count == size)
        }
      }
      costs.add("reference", count: count) {
        for _ in 0..<count {
          precondition(reference.decompressed(sample.stream, count: size).count == size)
        }
      }
      for (name, file, key) in [
        ("AES-128-CBC", encrypted, encryptedKey), ("container", authenticated, authenticatedKey),
      ] {
        try costs.add(name, count: count) {
          for _ in 0..<count {
            let stream = try SealedCatalog.open(file, key: key)
            let list = try LZFSEDecoder().decoded(stream)
            precondition(list.count == size)
          }
        }
      }
    }
    let list = try LZFSEDecoder().decoded(sample.stream)
    precondition(list == sample.list, "another list")
    print("  \(sample.title), compressed to \(sample.stream.count) bytes")
    for name in ["AES-128-CBC", "container", "decoder", "reference"] {
      let speed = Double(size) / costs.microseconds(name)
      let ratio =
        name == "decoder"
        ? String(format: "  %6.3f of the reference", 1 / costs.ratio(name, to: [("reference", 1)]))
        : ""
      print(
        "    " + name.padding(toLength: 14, withPad: " ", startingAt: 0)
          + String(format: "%8.0f MB/s", speed) + ratio)
    }
  }

  private func measure(_ title: String, _ stream: [UInt8], rounds: Int) throws {
    var longest = 0.0
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      let outcome = Result { () throws(LZFSEFailure) in try LZFSEDecoder().decoded(stream).count }
      let time = start.duration(to: .now)
      longest = max(
        longest, Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1000
      )
      if case .success(let count) = outcome { precondition(count <= LZFSEDecoder.usualLimit) }
    }
    print(
      "    " + title.padding(toLength: 28, withPad: " ", startingAt: 0)
        + String(format: "%8.1f ms", longest))
  }
}

extension CatalogBenchmark {
  /// A list in which each element has parts that don't repeat.
  private static func richList(bytes: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return list(bytes: bytes) { index in
      let word = ["brushes", "frames", "gold", "paper", "ink", "studio"][index % 6]
      let type = ["nonConsumable", "consumable", "renewableSubscription"][index * 7 % 3]
      let digest = (0..<4).map { _ in String(generator.next(), radix: 16) }.joined()
      return """
        {"identifier":"com.example.draw.\(word).\(index)","productType":"\(type)",\
        "isSubscribersOnly":\(index % 5 == 0),"contentFetcherParameters":{"type":"remote",\
        "URL":"https://cdn.example.com/\(word)/\(generator.next()).zip","sha256":"\(digest)"}}
        """
    }
  }

  /// A list of elements that differ in a number.
  private static func plainList(bytes: Int) -> [UInt8] {
    list(bytes: bytes) { index in
      #"{"identifier":"com.example.app_Main_Feature.\#(index)","productType":"nonConsumable","#
        + #""isSubscribersOnly":true}"#
    }
  }

  private static func list(bytes: Int, element: (Int) -> String) -> [UInt8] {
    var text = Array("[".utf8)
    var index = 0
    while text.count < bytes {
      text += Array((index == 0 ? "" : ",").utf8) + Array(element(index).utf8)
      index += 1
    }
    return text + Array("]".utf8)
  }
}
