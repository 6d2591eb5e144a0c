import { SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import { contractDocs } from '../routes.ts';

const translations = [SHARED_SCHEMAS, ...Object.values(contractDocs)].flatMap(({ spanish }) => Object.entries(spanish));
/** The Spanish translations of the English descriptions in schemas. */
const SPANISH_DESCRIPTIONS = new Map<unknown, string>(translations);

/** A part of a document in one language: each text in both languages is replaced with a string. */
export type Published<Part> = Part extends Text
  ? string
  : Part extends object
    ? { readonly [Key in keyof Part]: Published<Part[Key]> }
    : Part;

/** Converts a part of a document to one language, and removes the keywords of schemas that forbid properties. */
export function toPublished<Part>(part: Part, language: Language): Published<Part> {
  const json = JSON.stringify(part, (keyword, value: unknown) => {
    if (forbidsProperties(keyword, value)) return undefined;
    if (isText(value)) return value[language];
    if (keyword !== 'description' || language === 'en') return value;
    // A description that is a value in an example has no translation, and is returned unchanged.
    return SPANISH_DESCRIPTIONS.get(value) ?? value;
  });
  return JSON.parse(json) as Published<Part>;
}

/** True if a keyword forbids properties. A client that rejects them would fail when the service adds a property. */
function forbidsProperties(keyword: string, value: unknown): boolean {
  if (keyword === 'additionalProperties') return value === false;
  return keyword === 'maxProperties' && value === 0;
}

function isText(value: unknown): value is Text {
  return typeof value === 'object' && value !== null && 'en' in value && 'es' in value;
}
