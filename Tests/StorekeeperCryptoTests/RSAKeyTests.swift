import StorekeeperCrypto
import StorekeeperTesting
import Testing

/// Source of the vector: RFC 7515 Appendix A.2.
@Suite("RSA keys of RS256")
struct RSAKeyTests {
  @Test("the signature of the vector is made from the private key, as it depends on nothing else")
  func signature() throws {
    let key = try RSAPrivateKey(pem: Vector.privateKey)
    let signature = try key.signature(of: Array(Vector.signed.utf8))
    #expect(Base64.encode(signature, .url) == Vector.signature)
  }

  @Test("the signature of the vector is valid for the numbers of its JSON Web Key")
  func verification() throws {
    let key = try RSAPublicKey(modulus: Vector.modulus, exponent: "AQAB")
    let signature = try #require(Base64.decode(Array(Vector.signature.utf8)[...], .url))
    #expect(key.bitCount == 2048)
    #expect(key.isValid(signature, of: Array(Vector.signed.utf8)))
    #expect(!key.isValid(signature, of: Array((Vector.signed + " ").utf8)))
    var changed = signature
    changed[255] ^= 1
    #expect(!key.isValid(changed, of: Array(Vector.signed.utf8)))
    #expect(!key.isValid([], of: Array(Vector.signed.utf8)))
    #expect(!key.isValid(Array(signature.dropFirst()), of: Array(Vector.signed.utf8)))
  }

  @Test("the public half of a private key has the numbers of the vector")
  func numbers() throws {
    let numbers = try RSAPrivateKey(pem: Vector.privateKey).publicKey.webKeyNumbers
    #expect(numbers.modulus == Vector.modulus)
    #expect(numbers.exponent == "AQAB")
  }

  @Test("a generated key verifies what it signed, and not what another one signed")
  func generated() throws {
    let key = try RSAPrivateKey(PrivateKey(generating: .rsa2048))
    let other = try RSAPrivateKey(pem: Vector.privateKey)
    let message = Array("message".utf8)
    #expect(key.publicKey.isValid(try key.signature(of: message), of: message))
    #expect(!key.publicKey.isValid(try other.signature(of: message), of: message))
  }

  @Test("a private key is refused that is cut off, too short or of another kind")
  func privateKeys() throws {
    #expect(throws: RSAKeyFailure.malformed) { try RSAPrivateKey(pem: "") }
    #expect(throws: RSAKeyFailure.malformed) {
      try RSAPrivateKey(pem: String(Vector.privateKey.dropLast(60)))
    }
    #expect(throws: RSAKeyFailure.bitCount(1024)) { try RSAPrivateKey(pem: shortPrivateKey) }
    for kind in [PrivateKey.Generated.p256, .p384] {
      let pem = try PrivateKey(generating: kind).pem
      #expect(throws: RSAKeyFailure.notRSA) { try RSAPrivateKey(pem: pem) }
    }
  }

  @Test("a private key prints its size alone")
  func description() throws {
    let key = try RSAPrivateKey(pem: Vector.privateKey)
    #expect(String(describing: key) == "RSAPrivateKey(2048 bits)")
    #expect(Mirror(reflecting: key).children.isEmpty)
  }

  @Test(
    "a modulus has 2048 to 8192 bits",
    arguments: [
      (255, 0xFF, RSAKeyFailure.bitCount(2040)), (256, 0x7F, .bitCount(2047)), (256, 0x80, nil),
      (1024, 0xFF, nil), (1025, 0x01, .bitCount(8193)), (2000, 0xFF, .modulus),
    ])
  func sizes(bytes: Int, first: UInt8, failure: RSAKeyFailure?) throws {
    let number = [first] + [UInt8](repeating: 0xFF, count: bytes - 1)
    let text = Base64.encode(number, .url)
    if let failure {
      #expect(throws: failure) { try RSAPublicKey(modulus: text, exponent: "AQAB") }
    } else {
      let key = try RSAPublicKey(modulus: text, exponent: "AQAB")
      #expect(key.bitCount == bytes * 8 - first.leadingZeroBitCount)
      #expect(!key.isValid([UInt8](repeating: 1, count: bytes), of: [1]))
    }
  }

  @Test(
    "a modulus is base64url of an odd number without a leading zero",
    arguments: [
      "", "=", Vector.modulus + "=", "+" + Vector.modulus.dropFirst(), "AA" + Vector.modulus,
      // The last byte, 0xA1, becomes 0xA0.
      String(Vector.modulus.dropLast(2) + "oA"),
    ])
  func malformedModulus(text: String) {
    #expect(throws: RSAKeyFailure.modulus) { try RSAPublicKey(modulus: text, exponent: "AQAB") }
  }

  @Test(
    "an exponent is an odd number from 3 to 2⁶⁴ − 1",
    arguments: [
      ([], false), ([0], false), ([1], false), ([2], false), ([3], true), ([0, 3], false),
      ([1, 0, 1], true), ([1, 0, 0], false),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], true),
      ([1, 0, 0, 0, 0, 0, 0, 0, 1], false),
    ] as [([UInt8], Bool)])
  func exponents(bytes: [UInt8], isAccepted: Bool) {
    let text = Base64.encode(bytes, .url)
    if isAccepted {
      #expect(throws: Never.self) {
        try RSAPublicKey(modulus: Vector.modulus, exponent: text)
      }
    } else {
      #expect(throws: RSAKeyFailure.exponent) {
        try RSAPublicKey(modulus: Vector.modulus, exponent: text)
      }
    }
  }
}

/// RFC 7515 Appendix A.2: the key in PKCS #8, the number `n`, the signing input and the signature.
private enum Vector {
  static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCh+BYK4uPJtGXO
    jS1lYmM2K5J9vinh8CR3/BYlzJChNuOL2TSXxbbqY913EeZ8dCn5VrD7io8ImtxL
    aYk8wTM/U+3QGbh3hCUv7JFP5IV3aVlL6kKA0ywPVb9ilE8TA5a8bpvfbr3SvaNn
    juygxmj3AbONv/s4yDQs4v5tJ/reSlpIdJed1LnPmt7Ex1sFhSwsD174pcF1A5L5
    ROjtZMEQxrZHYJqkeDrrnGya11UxMFBji4NmXG9veoKjlnAqH2QbgtPr8jkiGUkf
    toaHLFcW9Qr4NY2ai50Xw0Byj3+H2JoY2PyrZ62EWQwuz3WTOTY8BwNNb2BvniHg
    VFbK5emhAgMBAAECggEAEq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyW
    PEAeP88vLNO97IjlA7/GQ5sLKMgvfTeXZx9SE+7YwVol2NXOoAJe46sui395IW/G
    O+pWJ1O0BkTGoVEn2bKVRUCgu+GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzj
    kn439X0M/V51gfpRLI9JYanrC4D4qAdGcopV/0ZHHzQlBjudU2QvXt4ehNYTCBr6
    XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl/x/jTj3ccPDVZFD9pIuhLhBOneufuBiB
    4cS98l2SR/RQyGWSeWjnczT0QU91p1DhOVRuOopznQKBgQDgHMQQ60imZV1URk0K
    pLttoLhyt3SmqdEf/kgHePDdtzEafpAu+cS191R2JiuoF2yzWXnwFDcqGigp5BNr
    0AHQfD8/Lk8l1Mk09jxxCfui5nYooNyac8YFjm3vItzVCVDnEd3BbVWG8qf6deqE
    lMGAg+C2V0L4oNXnP7LZcPAZRwKBgQC5A8R+CZW2MvRTLLHzwZkUXV866cff7tx6
    kqa0finGG0KgeqlaZPxgCZnFp7AeAcCMtiynVlJ7vMVgePsLq6XtON4tB5kP9jAP
    rq3rbAOal78eUH5OcED6eNuCV8ixEu1eWcPNCS/l1OW1EnXUEoEHKl54Xrrz2uNw
    kgMTP1FZ1wKBgAcCn1dwJKufzBWQxWQp1vsM5fggqPN1qGb5y0MAk3g7/Ls5bkUp
    5u9SN0Ai3Ya6hNnvWJMb7sXQX6U/zyO2M/hTip7tUeh7CXgwo59dkpN75gJLVds2
    9+DAncu3KXU4f2Fa+7bLNrur53k8KwPOq2bbuTG69QtV7Jr5MR0AHWKNAoGBAIf/
    evpitUf+4JYbLpvNXWcY052Mpz22aR84mY3nh3F2LF2mjMJDpTg7FmuyPcVw6EcG
    yoAe9fa65iNqCq+jdw6PVNGo2hxfjSiZ8IIzHdsPXI89//pMjZcQK9r+CCoRjaZj
    OYiIDktVWZzmevJuv6WywUqd57LE3Zar3dLSIkx1AoGAIYd7DHOhrWvxkwPQsRM2
    tOgrjbcrfvtQJipd+DlcxyVuuM9sQLdgjVk2oy26F0EmpScGLq2MowX7fhd/QJQ3
    ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp/gh6A56
    03k2+ZQwVK0JKSHuLFkuQ3U=
    -----END PRIVATE KEY-----
    """

  static let modulus =
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1"
    + "Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpa"
    + "SHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4"
    + "LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"

  static let signed =
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtc"
    + "GxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  static let signature =
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O"
    + "8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARN"
    + "PvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ"
    + "1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
}

/// A key of 1024 bits, made for this test.
private let shortPrivateKey = """
  -----BEGIN PRIVATE KEY-----
  MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBANm2Wp9Ob1WK3Ak6
  kwC+WVGahuWo2nJYERh96f5CCglQIWgvFK2OoEv9jL8VKiRng0kpSQhM7jwdbSGZ
  sZAYf6zW66LPPdPFnTDNGNY7KMb9EFVcaS6qc7Yi2ijABFbuH5UV3GQAMLtckZ9j
  SikZijKhzFHaWgqli8N27DFQUceRAgMBAAECgYBPgGO/YOkPF9IaHKWp09jSD9fK
  7co3jylPBEv6aSs5E2XfobGvXzHyDfjjnlrxSEuM3+KngVBN64D6kCFjOU8Fplf2
  CSQe/Qv/zYIB70lZyBqMucvasRjoT8VFUnkyhyFOvwoeg4FdaoKrsdGA9OYI/vNr
  n375M2CatBY82AjecQJBAO599xy3g4uNa3quc2zRaNHSn3XhRDIxQ8NpUC/RdNVn
  PzYLagqHji79c+c5PWb2uM2OZxVhtFSNBblITXar9ucCQQDpsd7cIlwGFct3nyY/
  Txkt4+7DDbVcHAIXEc1l+6IgCd5+CWWjrjcxFiLLIBSppOnAbTaD/YHOeQG5LiC2
  ixbHAkEAkB0KIA48rS1tzxpvoUgBYRk3RpIzFWlzmzeePucBBJt5NP08vNQg9QAu
  84BBPGDGV2A/pkn+IEF/PfEU7isH7QJBALx0dhXrl25I0SYML5nKPbHmJ7sgKOq4
  o27bKlpdjCZuDwBwr4hJi7SH91L68e7EUMSezeGu46kPqDYfXr4WeC0CQQDScR8Y
  SfqNf/85x7HI0S0TmYAXFiYfE+uWCv31o0g96ckmPLvdGrRtad2hlChvHFeIgo9p
  CChi/ujtCGPGsBz7
  -----END PRIVATE KEY-----
  """
