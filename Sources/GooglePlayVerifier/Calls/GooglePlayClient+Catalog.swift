internal import JSONValues

extension GooglePlayClient {
  /// The maximum number of products on a page of Google's.
  private static let productLimit = 1000
  private static let pageLimit = 100

  /// Reads a subscription product with its base plans, `monetization.subscriptions.get`.
  ///
  /// The service account needs the permission to see the app's information.
  public func subscriptionProduct(
    _ productID: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> PlaySubscriptionProduct {
    try await read(
      PlayRequest(.getSubscriptionProduct, get: "subscriptions/" + part(productID, .productID)),
      patience: patience)
  }

  /// Returns the app's subscription products, page by page as they are asked for
  /// (`monetization.subscriptions.list`).
  ///
  /// ```swift
  /// for try await page in play.subscriptionProducts() {
  ///   for product in page.subscriptions { … }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - pageSize: The maximum number of products on a page, from 1 to 1000; Google may send fewer.
  ///   - patience: The time limit for all attempts of one page, or nil for the configured one.
  /// - Returns: The pages. A size that breaks a rule is the failure of the first one.
  public func subscriptionProducts(
    pageSize: Int = 1000, patience: Duration? = nil
  ) -> PlayPages<SubscriptionProductsPage> {
    products(.listSubscriptionProducts, "subscriptions", pageSize, patience)
  }

  /// Reads a one-time product with the options to get it, `monetization.onetimeproducts.get`.
  ///
  /// The service account needs the permission to see the app's information.
  public func oneTimeProduct(
    _ productID: String, patience: Duration? = nil
  ) async throws(GooglePlayFailure) -> PlayOneTimeProduct {
    try await read(
      PlayRequest(.getOneTimeProduct, get: "oneTimeProducts/" + part(productID, .productID)),
      patience: patience)
  }

  /// Returns the app's one-time products, page by page as they are asked for (`monetization.onetimeproducts.list`).
  ///
  /// - Parameters:
  ///   - pageSize: The maximum number of products on a page, from 1 to 1000; Google may send fewer.
  ///   - patience: The time limit for all attempts of one page, or nil for the configured one.
  /// - Returns: The pages. A size that breaks a rule is the failure of the first one.
  public func oneTimeProducts(
    pageSize: Int = 1000, patience: Duration? = nil
  ) -> PlayPages<OneTimeProductsPage> {
    products(.listOneTimeProducts, "oneTimeProducts", pageSize, patience)
  }

  private func products<Page: GoogleModel & PlayPage>(
    _ method: PlayMethod, _ path: String, _ pageSize: Int, _ patience: Duration?
  ) -> PlayPages<Page> {
    PlayPages(pageLimit: Self.pageLimit) { page throws(GooglePlayFailure) in
      guard (1...Self.productLimit).contains(pageSize) else {
        throw .invalidCall(.pageSizeOutOfRange(pageSize))
      }
      var query = [QueryItem(name: "pageSize", value: String(pageSize))]
      if let page { query.append(QueryItem(name: "pageToken", value: page)) }
      return try await self.read(
        PlayRequest(method, get: path, query: query), patience: patience)
    }
  }
}
