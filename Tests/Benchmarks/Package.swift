// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Storekeeper", path: "../..")],
  targets: [
    .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto"),
    // OpenSSL alone, in C: the bound that our figures are ratios of.
    .target(name: "CBaseline", dependencies: ["CLibcrypto"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CBaseline",
        .product(name: "ReceiptModels", package: "Storekeeper"),
        .product(name: "JWSVerifier", package: "Storekeeper"),
        .product(name: "ReceiptVerifier", package: "Storekeeper"),
        .product(name: "StorekeeperTesting", package: "Storekeeper"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
