/** Something that can be found. */
export interface Entry {
  readonly kind: string;
  readonly title: string;
  /** Where it stands. */
  readonly place: string;
  /** What is said about it. */
  readonly about: string;
  readonly id: string;
}

/** The entries that hold every word of a query, the best first: whole titles, then beginnings, then the rest. */
export function search(entries: readonly Entry[], query: string, most = 40): Entry[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, most)
    .map(({ entry }) => entry);
}

function rankOf({ kind, title, place, about }: Entry, words: readonly string[]): number {
  const name = plain(title);
  const elsewhere = plain(`${place} ${about}`);
  const ranks = words.map((word) => {
    if (name === word) return 8;
    if (name.startsWith(word)) return 6;
    if (name.includes(word)) return 4;
    return elsewhere.includes(word) ? 1 : 0;
  });
  if (ranks.includes(0)) return 0;
  const total = ranks.reduce((sum: number, rank) => sum + rank, 0);
  // Who looks for a status means its errors.
  return total + ({ field: 0, error: 2 }[kind] ?? 1);
}

/** Without case and accents. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
}
