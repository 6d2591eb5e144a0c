import type { OpenApiDocument } from '../document.ts';
import { ANSWER_TEXTS } from './answers.ts';
import { FIELD_TEXTS } from './fields.ts';
import { OPERATION_TEXTS } from './operations.ts';
import { withTexts } from './with-texts.ts';

/** Every text of the document but the guide: English, and the same in Spanish. */
export const SPANISH_TEXTS: Readonly<Record<string, string>> = { ...OPERATION_TEXTS, ...FIELD_TEXTS, ...ANSWER_TEXTS };

// What an answer can be: `Success`, and codes of errors, which are the same in every language.
const KINDS = /^(?:Success|[A-Z_]+)(?:, [A-Z_]+)*$/;

/** The document in Spanish, with the guide in Spanish; paths, names, codes and examples stay. */
export function inSpanish(document: OpenApiDocument, guide: string): OpenApiDocument {
  const { description: _english, ...info } = document.info;
  const spanish = withTexts({ ...document, info }, toSpanish) as OpenApiDocument;
  return { ...spanish, info: { ...document.info, ...spanish.info, description: guide } };
}

/** The Spanish of an English text of the document. */
export function toSpanish(english: string): string {
  if (KINDS.test(english)) return english.replace('Success', 'Éxito');
  const spanish = SPANISH_TEXTS[english];
  if (spanish === undefined) throw new Error(`This text needs its Spanish in infra/openapi/spanish: ${english}`);
  return spanish;
}
