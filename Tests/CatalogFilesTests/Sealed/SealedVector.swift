import CatalogFiles
import StorekeeperCrypto

/// The test vectors of the entitlement rules, sections 3.2 and 3.3.
struct SealedVector: Sendable, CustomStringConvertible {
  let name: String
  let key: String
  /// The random part of the file: an initialization vector or a nonce.
  let start: String
  let file: String
  let json: String

  var description: String { name }

  var bytes: [UInt8] { StorekeeperCrypto.bytes(hexadecimal: file) ?? [] }
  var list: [UInt8] { Array(json.utf8) }

  /// The LZFSE stream in a file of the encrypted format.
  var stream: [UInt8] {
    get throws {
      let key = StorekeeperCrypto.bytes(hexadecimal: key) ?? []
      return try AESCBC.decrypted(bytes.dropFirst(16), key: key, vector: Array(bytes.prefix(16)))
        ?? []
    }
  }

  func catalogKey() throws -> CatalogKey { try CatalogKey(hexadecimal: key) }

  static let all = [raw, lzvn, entropy, container]
  static let encrypted = [raw, lzvn, entropy]

  private static let shortKey = "00112233445566778899aabbccddeeff"
  private static let vector = "0f0e0d0c0b0a09080706050403020100"

  private static func objects(_ count: Int) -> String {
    let objects = (0..<count).map { index in
      let number = index < 10 ? "0\(index)" : "\(index)"
      return
        #"{"identifier":"com.example.app_Main_Feature.\#(number)","productType":"nonConsumable","#
        + #""isSubscribersOnly":true}"#
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  private static let firstJSON =
    #"[{"identifier":"com.example.app_Main_Full.Monthly","productType":"renewableSubscription"}]"#

  static let raw = SealedVector(
    name: "V1, a raw block", key: shortKey,
    start: vector,
    file: """
      0f0e0d0c0b0a0908070605040302010042a1ef477ef967adcbceaf7beceb827b1e485e53bde0dd3eadc8121c041f47c0\
      769027d19f900f6ecdd1547e6b356d6f9cc3dc89b860f8a9069852c8158ffc9ec3516a36ef621c07ab47679bc24e061e\
      c04c9dd9a75fd9b393465d5d1c421248bda092e0104ec9792620c03b165488f1
      """, json: firstJSON)

  static let lzvn = SealedVector(
    name: "V2, an LZVN block", key: shortKey,
    start: vector,
    file: """
      0f0e0d0c0b0a09080706050403020100a9706770c21b5de78c5e70e55d0af501e72af5d7b6b0cba9791de496c2f73b95\
      e1f04ffbba8af8e9640db825bbe72c7d95a75cfef771bda7c932b36ab2a95123e6c3a1c90afb37e142ccd56d9ae11f0c\
      2c0f92a99553a5544ca245c2267b50f331a26ce725169bbb3c2a9cfe9f59afd72208cf3d98b85a66b87ac9ce5a8f2327\
      d255f7824d10623a05848cff5adee84140d7dc39f09af961235dc5c9163240f8e7c1f0c76e6ec58b901367e7bba6ee3a
      """, json: objects(8))

  static let entropy = SealedVector(
    name: "V3, a block with entropy coding", key: shortKey,
    start: vector,
    file: """
      0f0e0d0c0b0a0908070605040302010077dc2f0455c276d9f84b5583134482fb2fedb6ed6ce71ad6a99594c583551e29\
      5861876e48027342ea16f2775d0869222cbb825e547891cd10772744e647282fd08cc4c8aa7b7d6b59f2cd5e0f58bc32\
      7415b7ad0e66a0a7da74b0b5ce68d3bf198b9c648d62b9c83d2617d50823e27d2e3e3aebf552d655e6a13df9db839913\
      847c4e3e30a701aeb71fc1d67a12d8dd3a4866c314a9d3481480a4762eef0524b00b391c0bb88a2b4da9355af46399ed\
      fc8b33bb2bd1ac123545640f61be9302efc6776fc211cec5f21d8f7836cb89e4352f794505f3572371fbb64d4044b581\
      285d750a9febc6f4f87ae14fdbb8d403a0326d1d10016de4489ae60f3128d73cef1e63e3364dce24794f72aedac95825\
      b178f8a9f9dc5a0dbe16d12d1068a4c6aa956de80ea3aa3e9ab3c847a06378ced2a2b721b94f0c1ac59e41091e6bad5e\
      57b5d0f784efd73d2b047c4fdb9692b9
      """, json: objects(40))

  static let container = SealedVector(
    name: "V4, a container",
    key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    start: "0f0e0d0c0b0a090807060504",
    file: """
      534b504c010000000f0e0d0c0b0a090807060504ff4b93353fb2c1da82b9d83a4ab8b3230a09724eaa2190092625cbd1\
      537ac07549ebaa2e740f0ee24c9b6182fd7840696e22d97318cf318f813f32a20a0720a88815356c0f3cddd637775de6\
      254a07d2a15b3df0fc3d29db31c0244622e347601e4af065b82161a617ae
      """, json: firstJSON)
}
