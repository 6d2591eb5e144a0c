import type { JsonSchema } from '../../lib/contracts/contract.ts';

/** A body in the document. */
export interface Content {
  readonly 'application/json': {
    readonly schema: JsonSchema;
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
}

/** A parameter of the document. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** An answer in the document. */
export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content: Content;
}

/** An operation object of the document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

/** The headers that several operations take; the document holds each once. */
export const PARAMETERS = {
  Tenant: {
    name: 'tenant',
    in: 'header',
    required: true,
    description: 'The assigned tenant domain',
    schema: { type: 'string', minLength: 1 },
  },
  LoginApiKey: {
    name: 'X-API-Key',
    in: 'header',
    required: false,
    description:
      'The API key of the company. With it, failed logins of others cannot hold this one up; a wrong key counts as none',
    schema: { type: 'string' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description:
      'In which language messages are: Spanish where it is preferred (`es`, `es-AR`, weights too), else English; ' +
      'codes, names and fixed messages stay',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Parameter>;

/** Refers to one of PARAMETERS. */
export function parameterReference(name: keyof typeof PARAMETERS) {
  return { $ref: `#/components/parameters/${name}` };
}

/** A JSON body with this schema. */
export function json(schema: JsonSchema): Content {
  return { 'application/json': { schema } };
}
