// swift-tools-version: 6.2
import PackageDescription

let targets = [
  "FuzzTokens", "FuzzCertificates", "FuzzJSON", "FuzzAnswers", "FuzzReceipts",
  "FuzzReceiptContent", "FuzzVerifyReceipt", "FuzzCertificateReader",
  "FuzzMappingYAML", "FuzzMappingJSON", "FuzzLZFSE", "FuzzProductList", "FuzzGooglePlay",
  "FuzzPlayPush",
]

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Storekeeper", path: "../..")],
  targets: targets.map { name in
    .executableTarget(
      name: name,
      dependencies: [
        .product(name: "JSONValues", package: "Storekeeper"),
        .product(name: "ReceiptModels", package: "Storekeeper"),
        .product(name: "CatalogFiles", package: "Storekeeper"),
        .product(name: "CreditPolicy", package: "Storekeeper"),
        .product(name: "EntitlementPolicy", package: "Storekeeper"),
        .product(name: "GooglePlayVerifier", package: "Storekeeper"),
        .product(name: "HTTPMessages", package: "Storekeeper"),
        .product(name: "JWSVerifier", package: "Storekeeper"),
        .product(name: "ReceiptVerifier", package: "Storekeeper"),
        .product(name: "StorekeeperTesting", package: "Storekeeper"),
      ] + (name == "FuzzCertificateReader" ? ["StorekeeperCertificateJudge"] : [])
        + (name == "FuzzLZFSE" ? ["LZFSECoder"] : []),
      // The entry point is libFuzzer's.
      swiftSettings: [.unsafeFlags(["-parse-as-library"]), .define("FUZZING")])
  } + [
    .target(name: "StorekeeperCertificateJudge"),
    // The coder of CatalogFiles, which no host sees.
    .target(name: "LZFSECoder"),
  ],
  swiftLanguageModes: [.v6]
)
