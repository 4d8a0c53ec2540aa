/// An element of a list that has no faults.
struct ListedElement {
  let index: Int
  let identifier: UniqueText
  let type: CatalogProductType
  let isSubscribersOnly: Bool
  let discounts: ListedTexts?
  let content: ContentDescriptor?
  let unlocks: ListedTexts?
}
