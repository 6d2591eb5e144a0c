import { Ajv, type ErrorObject } from 'ajv';
import type { JsonSchema } from '../../../lib/contracts/contract.ts';
import { uuid } from '../../../lib/contracts/formats.ts';
import { isAmount, isExactAmount, isPercentage, isSignedAmount } from './decimal-text.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

/** Finds all errors of a value, such as `users[4].email: is required`. `path` is the path of the value, or empty. */
export type FindErrors = (value: unknown, path: string) => string[];

const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true })
  .addFormat('text', (text) => text.isWellFormed())
  .addFormat('iso8601', isIsoDate)
  .addFormat('amount', isAmount)
  .addFormat('uuid', uuid)
  .addFormat('signed-amount', isSignedAmount)
  .addFormat('percentage', isPercentage)
  .addFormat('web-address', isWebAddress)
  .addFormat('limit', { type: 'number', validate: (limit) => isExactAmount(String(limit)) })
  .addKeyword('errorText');

/** Compiles a schema. The text of its errors is its `errorText` in both languages, or else its English description. */
export function compileSchema(schema: JsonSchema): FindErrors {
  const validate = ajv.compile(schema);
  return (value, path) => {
    validate(value);
    const errors = (validate.errors ?? []).map((error) => `${buildPath(error, path)}: ${toReason(error)}`);
    return [...new Set(errors)];
  };
}

/** Builds the path of an error: the instance path `/users/4/email` in `tenants[1]` is `tenants[1].users[4].email`. */
function buildPath({ instancePath, params }: ErrorObject, path: string): string {
  const names = instancePath.split('/').slice(1);
  const property = params['missingProperty'] ?? params['additionalProperty'];
  if (property !== undefined) names.push(property);
  const suffix = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
  return `${path}${suffix}`.replace(/^\./, '') || 'record';
}

function toReason({ keyword, parentSchema, message }: ErrorObject): string {
  if (keyword === 'required') return translate(rejectionTexts.required);
  if (keyword === 'additionalProperties') return translate(rejectionTexts.unknownProperty);
  const errorText: Text | undefined = parentSchema?.['errorText'];
  return errorText ? translate(errorText) : (parentSchema?.['description'] ?? message);
}

/** True if a text is an address of http or https. A link with another scheme could run a script of its author. */
function isWebAddress(text: string): boolean {
  // A URL parser would silently skip control characters.
  return /^https?:\/\/\P{Cc}+$/iu.test(text) && text.isWellFormed() && URL.canParse(text);
}
