/** Something that stands elsewhere in the document. */
interface Reference {
  readonly $ref: string;
}

/** A schema of the document, with the keywords that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
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

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string | number;
}

/** A header of an answer. */
export interface Header {
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string | number;
}

/** A body, with examples by name. */
export interface Content {
  readonly 'application/json': {
    readonly schema: Schema;
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
}

/** An answer of an operation. */
export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

/** An operation as it stands in the document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

/** What the page reads of the OpenAPI document. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

/** An operation with where it is called. */
export interface PlacedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

/** All operations, in the order of the document. */
export function operationsOf({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** What a reference stands for, or the value itself. */
export function resolve<Value extends object>(document: OpenApiDocument, value: Value | Reference): Value {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce((parent: unknown, key) => (parent as Record<string, unknown> | undefined)?.[key], document);
  if (found === undefined) throw new Error(`The document has nothing at ${value.$ref}.`);
  const { $ref: _, ...besides } = value;
  return { ...resolve(document, found as Value), ...besides };
}

/** What a schema stands for; "this or null" becomes one schema that may be null. */
export function resolveSchema(document: OpenApiDocument, schema: Schema): Schema {
  const resolved = resolve<Schema>(document, schema);
  const { anyOf = [], ...besides } = resolved;
  const [value, nothing] = anyOf;
  if (anyOf.length !== 2 || value === undefined || nothing?.type !== 'null') return resolved;
  const { type = [], ...rest } = resolve<Schema>(document, value);
  return { ...rest, ...besides, type: [...[type].flat(), 'null'] };
}

/** Parameters without references, also in what they hold; the tenant, which the document has once, is among them. */
export function parametersOf(document: OpenApiDocument, { parameters = [] }: Operation): Parameter[] {
  return parameters
    .map((parameter) => resolve<Parameter>(document, parameter))
    .map((parameter) => ({ ...parameter, schema: resolve<Schema>(document, parameter.schema) }));
}

/** The names of the security schemes that an operation asks for. */
export function schemesOf({ security }: Operation): string[] {
  return Object.keys(security[0] ?? {});
}
