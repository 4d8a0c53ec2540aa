internal import JSONValues
internal import StorekeeperCrypto

/// A file of purchases as a ``PurchaseImport`` knows it: its digest, by which a run that was stopped finds its place
/// again, and the number of its rows.
public struct ImportFile: Hashable, Sendable {
  /// A text that differs for any two files; of one that is longer than 100 bytes the SHA-256 is stored.
  public let digest: String
  /// The number of rows, among them those that cannot be read; nil if it is not known.
  public var rowCount: Int?

  /// Creates a file that the host names by a text of its own, such as for rows of a database.
  public init(digest: String, rowCount: Int? = nil) {
    self.digest = digest
    self.rowCount = rowCount
  }

  /// Reads a file once for its digest and the number of its rows, without keeping it.
  ///
  /// The digest is SHA-256 over the format and the bytes, whatever the lengths of the pieces.
  ///
  /// - Parameters:
  ///   - format: The form of the file.
  ///   - next: Returns the next piece of the file, of any length; nil at its end.
  /// - Throws: ``ImportFault`` if the first row of a table lacks a column, or an error of `next`.
  public init(
    _ format: ImportFormat, reading next: @Sendable () async throws -> [UInt8]?
  ) async throws {
    var reader = ImportReader(format)
    var (chain, count) = (try SHA256.digest(of: Array(format.signature.utf8)), 0)
    var block: [UInt8] = []
    while let piece = try await next() {
      count += try reader.read(piece).count
      block += piece
      while block.count >= Self.blockLength {
        chain = try SHA256.digest(of: chain + block.prefix(Self.blockLength))
        block.removeFirst(Self.blockLength)
      }
    }
    count += try reader.finish().count
    digest = hexadecimal(try SHA256.digest(of: chain + block))
    rowCount = count
  }

  /// The digest as it fits into the place of a job.
  var storedDigest: String {
    get throws {
      guard digest.utf8.count > 100 else { return digest }
      return hexadecimal(try SHA256.digest(of: Array(digest.utf8)))
    }
  }

  private static let blockLength = 1 << 20
}

/// The rows of a file, one after the other, of which only a piece is in memory.
public struct ImportRows: AsyncSequence {
  /// A row, or the fault of one that can't be read.
  public typealias Element = Result<ImportRow, ImportFault>

  private let format: ImportFormat
  private let next: @Sendable () async throws -> [UInt8]?

  /// Creates rows of a file whose pieces `next` returns; nil at its end.
  ///
  /// They throw ``ImportFault`` if the first row of a table lacks a column, or an error of `next`.
  public init(_ format: ImportFormat, reading next: @escaping @Sendable () async throws -> [UInt8]?)
  {
    self.format = format
    self.next = next
  }

  /// Returns a walk over the rows from the beginning; the pieces of the file are read once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: ImportReader(format), next: next)
  }

  /// An iterator of the rows.
  public struct Iterator: AsyncIteratorProtocol {
    private var reader: ImportReader
    private let nextPiece: @Sendable () async throws -> [UInt8]?
    private var rows: ArraySlice<Element> = []
    private var isAtEnd = false

    fileprivate init(
      reader: ImportReader, next: @escaping @Sendable () async throws -> [UInt8]?
    ) {
      self.reader = reader
      nextPiece = next
    }

    /// Returns the next row; nil after the last one.
    ///
    /// - Throws: The error of reading the file.
    public mutating func next() async throws -> Element? {
      while rows.isEmpty, !isAtEnd {
        if let piece = try await nextPiece() {
          rows = try reader.read(piece)[...]
        } else {
          isAtEnd = true
          rows = try reader.finish()[...]
        }
      }
      return rows.popFirst()
    }
  }
}
