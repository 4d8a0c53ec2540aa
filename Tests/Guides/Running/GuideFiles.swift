import Foundation

// The files that the guides read.

extension GuideProgram {
  /// The packs of the guides.
  static func packs() throws -> URL {
    try file(
      "packs.yaml",
      """
      product_mappings:
        welcome_pack:
          app_store_product_id: com.example.gems.welcome
          credits: 60
          type: starter
        big_pack:
          app_store_product_id: com.example.gems.big
          credits: 500
          sort_order: 1
      """)
  }

  /// The products of the guides.
  static func productList() throws -> URL {
    try file(
      "products.json",
      """
      [
        {"identifier": "com.example.draw.brushes", "productType": "nonConsumable", "isSubscribersOnly": true},
        {"identifier": "com.example.draw.frames", "productType": "nonConsumable"},
        {"identifier": "com.example.draw.paper", "productType": "nonConsumable"},
        {"identifier": "com.example.draw.coins", "productType": "consumable"},
        {"identifier": "com.example.draw.full.monthly", "productType": "renewableSubscription",
         "discountedProducts": ["com.example.draw.full25.monthly"]},
        {"identifier": "com.example.draw.lite.monthly", "productType": "renewableSubscription",
         "unlocks": ["com.example.draw.f*", "com.example.draw.paper"]}
      ]
      """)
  }
}
