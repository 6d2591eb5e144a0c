// The kinds of schemas that contracts are made of; each property has a description.

export const text = (description: string) => ({ type: 'string', description }) as const;
export const filledText = (description: string) => ({ type: 'string', minLength: 1, description }) as const;
export const number = (description: string) => ({ type: 'number', description }) as const;
export const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
export const flag = (description: string) => ({ type: 'boolean', description }) as const;
export const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;
export const numberOrNull = (description: string) => ({ type: ['number', 'null'], description }) as const;

/** One of these texts. */
export const oneOf = <const Texts extends readonly string[]>(texts: Texts, description: string) =>
  ({ type: 'string', enum: texts, description }) as const;

/** An object of which every property is present and no other. */
export function exactly<const Properties extends Record<string, object>>(properties: Properties) {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties) as (keyof Properties & string)[],
    properties,
  } as const;
}
