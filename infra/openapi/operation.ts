/** A schema of the document, with the keywords that its readers know. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A body in the document. */
export interface Content {
  readonly 'application/json': {
    readonly schema: Schema;
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
}

/** Something that stands elsewhere in the document. */
export interface Reference {
  readonly $ref: string;
}

/** A parameter of the document. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string | number;
}

/** An answer in the document. */
export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Content;
}

/** An operation object of the document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters: readonly (Parameter | Reference)[];
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
    description: 'Accepted and ignored: a login needs no API key',
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
export function parameterReference(name: keyof typeof PARAMETERS): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

/** A JSON body with this schema. */
export function json(schema: Schema): Content {
  return { 'application/json': { schema } };
}
