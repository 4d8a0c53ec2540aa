internal import SQLStorage

/// Room for the texts of one statement's values, which is used again for the next one.
///
/// Its memory is reached by pointers because SQLite reads the texts there while the statement runs. Of one longer
/// than ``kept`` bytes in all the room is given back by the next statement.
@safe
final class TextRoom {
  private static let kept = 1 << 16

  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 10, alignment: 1)
  private var end = 0

  deinit { unsafe bytes.deallocate() }

  /// Makes room for the texts of these values; the former ones are lost.
  func empty(for values: [SQLValue]) {
    var size = 0
    for case .text(let text) in values { size += text.utf8.count }
    end = 0
    guard unsafe size > bytes.count || bytes.count > Self.kept else { return }
    unsafe bytes.deallocate()
    unsafe bytes = .allocate(byteCount: max(size, 1 << 10), alignment: 1)
  }

  /// Adds one of the texts, which stays where it is until the next ``empty(for:)``.
  func add(_ text: String) -> UnsafeBufferPointer<CChar> {
    var text = text
    let start = end
    let count = text.withUTF8 { source in
      // A value is bound once, so that there is room for all.
      precondition(unsafe source.count <= bytes.count - start)
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      unsafe room.copyMemory(from: UnsafeRawBufferPointer(source))
      return source.count
    }
    end += count
    let place = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    return unsafe place.assumingMemoryBound(to: CChar.self)
  }
}
