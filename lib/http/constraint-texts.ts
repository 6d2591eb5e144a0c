import type { Text } from '../domain/language.ts';
import { SMALLEST_STORED } from '../domain/money.ts';
import { dateForms } from '../domain/texts.ts';

/** The parameters of an error of Ajv. Each keyword sets only its own parameter. For example, `maximum` sets `limit`. */
export interface AjvErrorParams {
  readonly limit: number;
  readonly type: string | readonly string[];
  readonly allowedValues: readonly (string | null)[];
  readonly pattern: string;
  readonly format: string;
}

const SPANISH_TYPES: Readonly<Record<string, string>> = {
  string: 'un texto',
  number: 'un número',
  integer: 'un número entero',
  object: 'un objeto',
  array: 'una lista',
};

/** The error texts by the violated keyword of the schema, to be appended to the name of the property. */
export const KEYWORD_TEXTS: Readonly<Record<string, (params: AjvErrorParams) => Text | undefined>> = {
  required: () => ({ en: 'is required', es: 'es obligatorio' }),
  type({ type }) {
    const names = removeNull([type].flat());
    return {
      en: `must be ${names.join(' or ')}`,
      es: `debe ser ${names.map((name) => SPANISH_TYPES[name]).join(' o ')}`,
    };
  },
  enum({ allowedValues }) {
    const values = removeNull(allowedValues).join(', ');
    return { en: `must be one of ${values}`, es: `debe ser uno de ${values}` };
  },
  minimum: ({ limit }) => ({ en: `must be >= ${limit}`, es: `debe ser >= ${limit}` }),
  maximum: ({ limit }) => ({ en: `must be <= ${limit}`, es: `debe ser <= ${limit}` }),
  // The schema of an amount is the only one with this keyword.
  not: () => ({ en: `must be 0 or >= ${SMALLEST_STORED}`, es: `debe ser 0 o >= ${SMALLEST_STORED}` }),
  minLength: ({ limit }) => ({
    en: `must NOT have fewer than ${limit} characters`,
    es: `no debe tener menos de ${limit} ${limit === 1 ? 'carácter' : 'caracteres'}`,
  }),
  maxLength: ({ limit }) => ({
    en: `must NOT have more than ${limit} characters`,
    es: `no debe tener más de ${limit} caracteres`,
  }),
  minItems: ({ limit }) => ({
    en: `must NOT have fewer than ${limit} items`,
    es: `no debe tener menos de ${limit} ${limit === 1 ? 'elemento' : 'elementos'}`,
  }),
  maxItems: ({ limit }) => ({
    en: `must NOT have more than ${limit} items`,
    es: `no debe tener más de ${limit} elementos`,
  }),
  pattern: ({ pattern }) => PATTERN_TEXTS[pattern],
  format: ({ format }) => FORMAT_TEXTS[format],
};

export const PATTERN_TEXTS: Readonly<Record<string, Text>> = {
  '^[0-9]+$': { en: 'must hold digits only', es: 'debe tener solo dígitos' },
};

export const FORMAT_TEXTS: Readonly<Record<string, Text>> = {
  iso8601OrEmpty: { en: `must be ${dateForms.en}`, es: `debe ser ${dateForms.es}` },
  iso8601OrEmptyInQuery: {
    en: `must be ${dateForms.en}; in a query, encode + as %2B`,
    es: `debe ser ${dateForms.es}; en una consulta, escriba + como %2B`,
  },
  visibleOrEmpty: {
    en: 'must be visible, without control characters',
    es: 'debe ser visible, sin caracteres de control',
  },
  uuid: { en: 'must be a UUID', es: 'debe ser un UUID' },
};

/** Removes the value null and the type `null`, because the texts do not mention that null is allowed. */
function removeNull(values: readonly (string | null)[]): string[] {
  return values.filter((value): value is string => value !== null && value !== 'null');
}

// The texts of errors that no keyword of a schema describes.

export const notValid: Text = { en: 'is not valid', es: 'no es válido' };
export const mediaType: Text = { en: 'must be application/json', es: 'debe ser application/json' };
export const tooLarge = (bytes: number): Text => ({
  en: `must not exceed ${bytes} bytes`,
  es: `no debe superar los ${bytes} bytes`,
});
export const tooManyValues = (max: number): Text => ({
  en: `must not hold more than ${max} names and values`,
  es: `no debe tener más de ${max} nombres y valores`,
});
export const notJson: Text = { en: 'must be valid JSON', es: 'debe ser un JSON válido' };
export const reservedName: Text = { en: 'is a reserved name', es: 'es un nombre reservado' };
export const notSingle: Text = { en: 'must be given once, as one value', es: 'debe enviarse una vez, como un valor' };
export const notUnicode: Text = {
  en: 'must be well-formed Unicode text',
  es: 'debe ser un texto Unicode bien formado',
};
