import { Ajv, type ErrorObject } from 'ajv';
import type { JsonSchema } from '../../../lib/contracts/contract.ts';
import { uuid } from '../../../lib/contracts/formats.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';
import { isAmount, isExactAmount, isPercentage, isSignedAmount } from './decimal-text.ts';

/** A function that returns the errors of the value at a path in a file, such as `users[4].email: is required`. */
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

/** Compiles a schema. Its error messages are the `errorText` of its parts or, in English only, the `description`. */
export function compileSchema(schema: JsonSchema): FindErrors {
  const validate = ajv.compile(schema);
  return (value, path) => {
    validate(value);
    const errors = (validate.errors ?? []).map((error) => `${buildPath(error, path)}: ${getMessage(error)}`);
    return [...new Set(errors)];
  };
}

/** Builds the path of an error: the instance path `/users/4/email` in `tenants[1]` is `tenants[1].users[4].email`. */
function buildPath({ instancePath, params }: ErrorObject, path: string): string {
  const names = instancePath.split('/').slice(1);
  const property = params['missingProperty'] ?? params['additionalProperty'];
  if (property !== undefined) names.push(property);
  const suffix = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
  const fullPath = path === '' ? suffix.replace(/^\./, '') : path + suffix;
  // An error of the whole record.
  return fullPath === '' ? 'record' : fullPath;
}

function getMessage({ keyword, parentSchema, message }: ErrorObject): string {
  if (keyword === 'required') return translate(rejectionTexts.required);
  if (keyword === 'additionalProperties') return translate(rejectionTexts.unknownProperty);
  const errorText: Text | undefined = parentSchema?.['errorText'];
  return errorText ? translate(errorText) : (parentSchema?.['description'] ?? message);
}

/** True if a string is an address of http or https. A link with another scheme could run a script of its author. */
function isWebAddress(text: string): boolean {
  // A URL parser would silently skip control characters.
  const hasAllowedCharacters = /^https?:\/\/\P{Cc}+$/iu.test(text) && text.isWellFormed();
  return hasAllowedCharacters && URL.canParse(text);
}
