import type { OpenApiDocument } from '../openapi/document.ts';
import type { Operation, Parameter, Reference, Schema } from '../openapi/operation.ts';

/** An operation with its method and path. */
export interface AddressedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

/** All operations, in the order of the document. */
export function operationsOf({ paths }: OpenApiDocument): AddressedOperation[] {
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
export function parametersOf(document: OpenApiDocument, { parameters }: Operation): Parameter[] {
  return parameters
    .map((parameter) => resolve<Parameter>(document, parameter))
    .map((parameter) => ({ ...parameter, schema: resolve<Schema>(document, parameter.schema) }));
}
