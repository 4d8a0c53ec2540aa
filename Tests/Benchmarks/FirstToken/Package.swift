// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the program loads nothing that it does not need.
let package = Package(
  name: "FirstToken",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Storekeeper", path: "../../..")],
  targets: [
    .executableTarget(
      name: "FirstToken", dependencies: [.product(name: "JWSVerifier", package: "Storekeeper")])
  ],
  swiftLanguageModes: [.v6]
)
