import type { OpenApiDocument } from '../document.ts';
import { ANSWER_TEXTS } from './answers.ts';
import { FIELD_TEXTS } from './fields.ts';
import { spanishAnswer } from './messages.ts';
import { OPERATION_TEXTS } from './operations.ts';

/** Every text of the document but the guide: English, and the same in Spanish. */
export const SPANISH_TEXTS: Readonly<Record<string, string>> = { ...OPERATION_TEXTS, ...FIELD_TEXTS, ...ANSWER_TEXTS };

// What an answer can be: `Success`, and codes of errors, which are the same in every language.
const KINDS = /^(?:Success|[A-Z_]+)(?:, [A-Z_]+)*$/;

// The keywords whose strings are texts for people.
const TEXT_KEYWORDS = ['title', 'summary', 'description'];

/** The document in Spanish, with the guide in Spanish and answers in Spanish; paths, names and codes stay. */
export function inSpanish(document: OpenApiDocument, guide: string): OpenApiDocument {
  const { description: _english, ...info } = document.info;
  const spanish = mapTexts({ ...document, info }, toSpanish, spanishAnswer) as OpenApiDocument;
  return { ...spanish, info: { ...document.info, ...spanish.info, description: guide } };
}

/** The Spanish of an English text of the document. */
export function toSpanish(english: string): string {
  if (KINDS.test(english)) return english.replace('Success', 'Éxito');
  const spanish = SPANISH_TEXTS[english];
  if (spanish === undefined) throw new Error(`This text needs its Spanish in infra/openapi/spanish: ${english}`);
  return spanish;
}

/** A part of a document with other paragraphs in its texts and names of tags, and with other answers as examples. */
export function mapTexts(
  part: unknown,
  mapText: (paragraph: string) => string,
  mapAnswer: (answer: unknown) => unknown = (answer) => answer,
): unknown {
  const map = (inner: unknown) => mapTexts(inner, mapText, mapAnswer);
  const mapTag = (tag: string | { readonly name: string }) =>
    typeof tag === 'string' ? mapText(tag) : { ...(map(tag) as object), name: mapText(tag.name) };
  const mapExample = ([name, { summary, value }]: [string, { readonly summary: string; readonly value: unknown }]) => [
    name,
    // The gateway knows no languages.
    { summary: mapText(summary), value: name.startsWith('gateway-') ? value : mapAnswer(value) },
  ];
  if (Array.isArray(part)) return part.map(map);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === 'example') return [key, value];
      if (key === 'examples') return [key, Object.fromEntries(Object.entries(value as object).map(mapExample))];
      if (key === 'tags') return [key, (value as (string | { name: string })[]).map(mapTag)];
      if (TEXT_KEYWORDS.includes(key) && typeof value === 'string')
        return [key, value.split('\n\n').map(mapText).join('\n\n')];
      return [key, map(value)];
    }),
  );
}
