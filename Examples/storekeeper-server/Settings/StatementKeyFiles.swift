import EntitlementPolicy
import JSONValues
import JWSVerifier
import StorekeeperLocks

/// The keys of statements, which can be read again while the server runs, so that they change with overlap.
final class StatementKeyFiles: Sendable {
  /// The maximum number of bytes of a file; a key has a few hundred.
  private static let sizeLimit = 1 << 14

  let options: StatementOptions
  private let current: Locked<StatementKeys>

  /// Reads the files, the first of which has the key that signs.
  init(_ paths: [String], options: StatementOptions) throws(SettingsFailure) {
    self.options = options
    current = Locked(try Self.read(paths))
  }

  /// The keys in use.
  var keys: StatementKeys { current.withLock { $0 } }

  /// Reads the files of settings that were read again, and logs the thumbprints; if one of them is refused, nothing
  /// changes.
  func reload(_ paths: () throws -> [String]) {
    let new: StatementKeys
    do {
      new = try Self.read(try paths())
    } catch {
      // A failure of settings is a line for people, without values of the settings.
      let reason = error is SettingsFailure ? "\(error)" : "the settings cannot be read"
      return ServerLog.note("statement keys refused", ["reason": .string(reason)])
    }
    current.withLock { $0 = new }
    ServerLog.note(
      "statement keys reloaded",
      ["keys": .array(new.keys.map { .string($0.publicKey.keyID) })])
  }

  /// Reads the files; a failure names the number of one, as somebody may give a key in place of its file.
  private static func read(_ paths: [String]) throws(SettingsFailure) -> StatementKeys {
    var keys: [StatementKey] = []
    for (number, path) in zip(1..., paths) {
      guard let bytes = RegularFile.contents(path, limit: sizeLimit) else {
        throw SettingsFailure("file number \(number) of --statement-key cannot be read")
      }
      do throws(SigningFailure) {
        keys.append(try StatementKey(pem: String(decoding: bytes, as: UTF8.self)))
      } catch {
        throw SettingsFailure(
          "file number \(number) of --statement-key is no unencrypted private key in PEM, Ed25519 or"
            + " on P-256")
      }
    }
    do throws(SigningFailure) {
      return try StatementKeys(keys)
    } catch {
      throw switch error {
      case .repeatedKey: SettingsFailure("two files of --statement-key have one key")
      default: SettingsFailure("--statement-key has no file; without one, start the server anew")
      }
    }
  }
}
