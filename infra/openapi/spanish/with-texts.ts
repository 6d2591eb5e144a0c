// The keywords whose strings are texts for people, and those of data, which may hold anything.
const OF_TEXTS = new Set(['title', 'summary', 'description']);
const OF_DATA = new Set(['example', 'value']);

/** Part of a document with `translate` applied to each paragraph of its texts, and to the names of its tags. */
export function withTexts(part: unknown, translate: (paragraph: string) => string): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => withTexts(item, translate));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]: [string, unknown]) => {
      if (OF_DATA.has(key)) return [key, value];
      if (OF_TEXTS.has(key) && typeof value === 'string') return [key, value.split('\n\n').map(translate).join('\n\n')];
      if (key === 'tags') return [key, (value as readonly Tag[]).map((tag) => withTagName(tag, translate))];
      return [key, withTexts(value, translate)];
    }),
  );
}

/** A tag with its description, or, at an operation, its name alone. */
type Tag = string | { readonly name: string };

function withTagName(tag: Tag, translate: (paragraph: string) => string): unknown {
  if (typeof tag === 'string') return translate(tag);
  return { ...(withTexts(tag, translate) as object), name: translate(tag.name) };
}
