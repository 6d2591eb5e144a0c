import { SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { INVOICE_STATES, STATE_CODES } from '../../lib/domain/invoice-states.ts';
import type { Language } from '../../lib/domain/language.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';
import { contractDocs } from '../routes.ts';

const docs = [SHARED_SCHEMAS, ...Object.values(contractDocs)];

/** The names that the schemas of the contracts have in the document. */
export const SCHEMA_NAMES: ReadonlyMap<unknown, string> = new Map(
  docs.flatMap(({ schemas }) => Object.entries(schemas).map(([name, [schema]]) => [schema, name] as const)),
);

const spanishDescriptions = new Map(docs.flatMap(({ spanish }) => Object.entries(spanish)));

/** Returns a description of the contracts in a language. */
export function translateDescription(english: string, language: Language): string {
  if (language === 'en') return english;
  const spanish = spanishDescriptions.get(english);
  if (spanish === undefined) throw new Error(`This description needs its Spanish in a .doc.ts file: ${english}`);
  return spanish;
}

/** Returns schemas whose descriptions are in a language. */
export function translateSchemas<Schemas>(schemas: Schemas, language: Language): Schemas {
  const text = JSON.stringify(schemas, (keyword, value: unknown) =>
    keyword === 'description' && typeof value === 'string' ? translateDescription(value, language) : value,
  );
  return JSON.parse(text) as Schemas;
}

/**
 * The enumerations that occur in several places; `valueNames` contains the names of values for programs if the values
 * are not meaningful.
 */
export const NAMED_ENUMS: readonly { name: string; values: readonly unknown[]; valueNames?: readonly string[] }[] = [
  { name: 'StateCode', values: STATE_CODES },
  { name: 'StateId', values: Object.values(INVOICE_STATES).map(({ id }) => id), valueNames: STATE_CODES },
  { name: 'ToleranceMode', values: TOLERANCE_MODES },
  { name: 'ToleranceSource', values: TOLERANCE_SOURCES },
  { name: 'ToleranceAction', values: ACTIONS },
  { name: 'ItemErrorCode', values: fields.failedItem.properties.error.properties.code.enum },
];
