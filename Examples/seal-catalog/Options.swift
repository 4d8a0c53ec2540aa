import CatalogFiles
import StorekeeperToolSupport

struct Options {
  var command: Command
  private var keyFile: String?
  private var isCBC = false
  var input: String
  /// The file that is written; empty for `lint`.
  var output = ""

  enum Command: String, CaseIterable {
    case seal, open, lint
  }

  static let usage = """
    usage: seal-catalog seal [--cbc] --key FILE IN OUT
           seal-catalog open --key FILE IN OUT
           seal-catalog lint [--key FILE] FILE

    seal    Encrypts the product list IN, and writes it to OUT: an authenticated container, or the
            older format, which proves nothing about its writer.
    open    Decrypts IN, and writes the product list to OUT, readable by its owner only.
    lint    Reads a product list, sealed if there is a key, and prints one JSON object a line:

              {"level":"warning", "code":"unlocks_nothing", "index":6, "key":"unlocks[0]",
               "value":"com.example.x"}
              {"level":"error", "code":"unknownValue", "index":3, "key":"productType",
               "value":"lifetime", "reason":"unknown value \\"lifetime\\""}

      --key FILE   a file with the key: 64 hexadecimal digits for containers, 32 for the older
                   format. The number decides the format of files that are opened.
      --cbc        seal in the older format, AES-128-CBC over LZFSE; the key has 32 digits

    A new key: openssl rand -hex 32. IN and OUT may be -, which is standard input and output. OUT
    is replaced only once it is complete, unless it is a device or a pipe. Lists have at most 8 MiB.

    Exit status: 0 when it is done, or the list loads with or without warnings; 1 when IN is no
    sealed file for this key, or no product list; 2 on usage errors, and when a file cannot be read
    or written.

    """

  init(_ arguments: some Sequence<String>) throws(UsageFailure) {
    var words: [String] = []
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--cbc": isCBC = true
      case "--key":
        guard let value = arguments.next() else { throw UsageFailure("--key needs a value") }
        keyFile = value
      case _ where argument.hasPrefix("-") && argument != "-":
        // A value may be a key.
        throw UsageFailure("there is no option \(argument.prefix { $0 != "=" })")
      default: words.append(argument)
      }
    }
    guard let first = words.first else { throw UsageFailure("no command is named") }
    guard let command = Command(rawValue: first) else {
      throw UsageFailure("the command is seal, open or lint")
    }
    let names = command == .lint ? ["FILE"] : ["IN", "OUT"]
    guard words.count == names.count + 1 else {
      throw UsageFailure("\(first) takes \(names.joined(separator: " and "))")
    }
    guard keyFile != nil || command == .lint else { throw UsageFailure("\(first) needs --key") }
    guard !isCBC || command == .seal else { throw UsageFailure("--cbc belongs to seal") }
    self.command = command
    input = words[1]
    if command != .lint { output = words[2] }
  }

  /// The name of the key file in failures, as its path may be a key by mistake.
  private static let keyFileName = "the key file"

  func key() throws -> CatalogKey? {
    guard let keyFile else { return nil }
    // A key has 64 digits and a line break at most; a longer file is none.
    let text = try Files.read(keyFile, limit: 1024, name: Self.keyFileName)
    do throws(CatalogKeyFailure) {
      return try CatalogKey(file: text)
    } catch {
      throw FileFailure("\(Self.keyFileName): \(error.description)")
    }
  }

  func requiredKey() throws -> CatalogKey {
    guard let key = try key() else { throw UsageFailure("\(command.rawValue) needs --key") }
    return key
  }

  /// Reads the key, which has the length for the format.
  func sealingKey() throws -> CatalogKey {
    let key = try requiredKey()
    guard key.format == (isCBC ? .encrypted : .authenticated) else {
      throw UsageFailure(
        isCBC
          ? "--cbc takes a key of 32 digits" : "a key of 32 digits seals only with --cbc")
    }
    return key
  }
}

struct UsageFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
