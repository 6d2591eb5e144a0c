// The vocabulary of the schemas in contracts. Each function returns a schema, and has the name of the accepted type, so
// that a contract reads like a list of types: `amount: number('Amount declared')`.

export const text = (description: string) => ({ type: 'string', description }) as const;
export const nonEmptyString = (description: string) => ({ type: 'string', minLength: 1, description }) as const;
export const number = (description: string) => ({ type: 'number', description }) as const;
export const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
export const boolean = (description: string) => ({ type: 'boolean', description }) as const;
export const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;
export const numberOrNull = (description: string) => ({ type: ['number', 'null'], description }) as const;

export const oneOf = <const Texts extends readonly string[]>(texts: Texts, description: string) =>
  ({ type: 'string', enum: texts, description }) as const;

/** Returns the schema of an object that has exactly these properties. All of them are required. */
export function closedObject<const Properties extends Record<string, object>>(properties: Properties) {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties) as (keyof Properties & string)[],
    properties,
  } as const;
}
