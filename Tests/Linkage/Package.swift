// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Linkage",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Storekeeper", path: "../..")],
  targets: [
    .executableTarget(
      name: "Core",
      dependencies: [
        .product(name: "JSONValues", package: "Storekeeper"),
        .product(name: "ReceiptModels", package: "Storekeeper"),
        .product(name: "HTTPMessages", package: "Storekeeper"),
        .product(name: "LinkPolicy", package: "Storekeeper"),
        .product(name: "CreditPolicy", package: "Storekeeper"),
        .product(name: "EntitlementPolicy", package: "Storekeeper"),
        .product(name: "PurchaseStorage", package: "Storekeeper"),
        .product(name: "InMemoryStorage", package: "Storekeeper"),
      ])
  ]
)
