/** The primary key of an item; the sort key of Declarations is a number, and RateCounters has none. */
export interface Key<SortKey = string> {
  readonly pk: string;
  readonly sk: SortKey;
}
