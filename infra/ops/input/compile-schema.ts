import { Ajv, type ErrorObject } from 'ajv';
import type { JsonSchema } from '../../../lib/contracts/contract.ts';
import { uuid } from '../../../lib/contracts/formats.ts';
import { isAmount, isExactAmount, isPercentage, isSignedAmount } from './decimal-text.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';

/** Returns every error of a value as `path: reason`; `path` is the location of the value (empty: the root). */
export type FindErrors = (value: unknown, path: string) => string[];

const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true })
  .addFormat('text', (text) => text.isWellFormed())
  .addFormat('iso8601', isIsoDate)
  .addFormat('amount', isAmount)
  .addFormat('uuid', uuid)
  .addFormat('signed-amount', isSignedAmount)
  .addFormat('percentage', isPercentage)
  .addFormat('web-address', isWebAddress)
  .addFormat('limit', { type: 'number', validate: (limit) => isExactAmount(String(limit)) });

/** Compiles a schema whose descriptions are the error messages. */
export function compileSchema(schema: JsonSchema): FindErrors {
  const validate = ajv.compile(schema);
  return (value, path) => {
    validate(value);
    return [...new Set((validate.errors ?? []).map((error) => `${buildPath(error, path)}: ${toReason(error)}`))];
  };
}

function buildPath({ instancePath, params }: ErrorObject, path: string): string {
  const named = params['missingProperty'] ?? params['additionalProperty'];
  const names = [...instancePath.split('/').slice(1), ...(named === undefined ? [] : [named])];
  const below = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
  return `${path}${below}`.replace(/^\./, '') || 'record';
}

const REASONS: Partial<Record<string, string>> = {
  required: 'is required',
  additionalProperties: 'is not a known property',
};

function toReason({ keyword, parentSchema, message }: ErrorObject): string {
  return REASONS[keyword] ?? parentSchema?.['description'] ?? message;
}

/** True if a text is an address of http or https. A link with another scheme could run a script of its author. */
function isWebAddress(text: string): boolean {
  // A URL parser would silently skip control characters.
  return /^https?:\/\/\P{Cc}+$/iu.test(text) && text.isWellFormed() && URL.canParse(text);
}
