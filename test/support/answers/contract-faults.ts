import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument } from '../../../infra/openapi/document.ts';
import { DOCUMENT_FILE } from '../../../infra/openapi/published-documents.ts';
import { uuid } from '../../../lib/contracts/formats.ts';
import { buildLegacyErrorSchema } from '../../../lib/contracts/legacy-dispatch.doc.ts';

/** An HTTP response and its request. The names of the headers are in lower case. */
export interface HttpResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The path of keys to a part of the OpenAPI document. */
type Pointer = readonly string[];

/** The committed OpenAPI document. */
export const openApi = JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')) as OpenApiDocument;

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
/** The headers that only some responses have, and that must be documented where they occur. */
const OCCASIONAL_HEADERS = [...RATE_HEADERS, 'retry-after', 'x-ignored-fields'];

const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { uuid } });
ajv.addSchema(closeObjects(openApi) as object, 'openapi');
const validateUnknownOperation = ajv.compile(buildLegacyErrorSchema('NOT_FOUND'));

/**
 * Adds `additionalProperties: false` to every object schema. Clients must accept fields that are added later, but the
 * tests must detect fields that are not documented.
 */
function closeObjects(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closeObjects);
  if (typeof part !== 'object' || part === null) return part;
  const parts = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closeObjects(value)]));
  return parts['type'] === 'object' ? { additionalProperties: false, ...parts } : parts;
}

/** Finds the differences between a response and the OpenAPI document: undocumented, missing or invalid parts. */
export function findContractErrors(response: HttpResponse): string[] {
  const { method, path, status, headers, body } = response;
  const operation = findOperation(method, path);
  const errors = operation === undefined ? findUnknownPathErrors(response) : findResponseErrors(operation, response);
  if (headers['content-type'] !== 'application/json') errors.push(`Content-Type is ${headers['content-type']}`);
  return errors.map((error) => `${method} ${path} returned ${status} ${body.slice(0, 500)}\n${error}`);
}

/** Validates a JSON text against the schema at this path of the OpenAPI document, and returns the errors. */
function findSchemaErrors(pointer: Pointer, body: string): string[] {
  const path = pointer.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const $ref = `openapi#/${path}`;
  return validateJson(ajv.getSchema($ref) ?? ajv.compile({ $id: `check of ${$ref}`, $ref }), body);
}

function validateJson(validate: ValidateFunction, json: string): string[] {
  try {
    return validate(JSON.parse(json)) ? [] : [ajv.errorsText(validate.errors)];
  } catch {
    return ['The body is not JSON.'];
  }
}

/** Finds the path of the operation of a request in the OpenAPI document. */
function findOperation(method: string, path: string): Pointer | undefined {
  const { pathname } = new URL(path, 'http://service');
  // The names of legacy operations are case-insensitive.
  const flags = isLegacy(pathname) ? 'i' : '';
  const templates = Object.keys(openApi.paths).filter((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`, flags).test(pathname),
  );
  const template = templates.find((candidate) => !candidate.includes('{')) ?? templates[0] ?? '';
  const isDocumented = method.toLowerCase() in (openApi.paths[template] ?? {});
  return isDocumented ? ['paths', template, method.toLowerCase()] : undefined;
}

const isLegacy = (path: string) => path.startsWith('/apidev/legacy/');

/** Checks a 404 response: from the gateway (unknown path), or from the legacy function (unknown operation). */
function findUnknownPathErrors({ path, status, headers, body }: HttpResponse): string[] {
  if (status !== 404) return ['The operation is not documented.'];
  const gatewayErrors = findSchemaErrors(['components', 'schemas', 'NotFoundErrorAnswer'], body);
  const bodyErrors =
    isLegacy(path) && gatewayErrors.length > 0 ? validateJson(validateUnknownOperation, body) : gatewayErrors;
  return [...bodyErrors, ...findHeaderErrors({ 'x-request-id': 'X-Request-Id' }, status, headers)];
}

function findResponseErrors(operation: Pointer, { status, headers, body }: HttpResponse): string[] {
  const pointer = [...operation, 'responses', String(status)];
  const documented = readPart(pointer) as { readonly headers: Record<string, { readonly $ref: string }> } | undefined;
  if (documented === undefined) return ['The status is not documented.'];
  const components = Object.entries(documented.headers).map(([name, { $ref }]) => [
    name.toLowerCase(),
    $ref.replace('#/components/headers/', ''),
  ]);
  return [
    ...findSchemaErrors([...pointer, 'content', 'application/json', 'schema'], body),
    ...findHeaderErrors(Object.fromEntries(components) as Record<string, string>, status, headers),
  ];
}

/**
 * Validates headers. `components` maps each documented header to the name of its component. A success is no response of
 * the gateway itself, so it must have its rate headers.
 */
function findHeaderErrors(
  components: Readonly<Record<string, string>>,
  status: number,
  headers: HttpResponse['headers'],
): string[] {
  const errors = Object.entries(components).flatMap(([name, component]) => {
    const pointer = ['components', 'headers', component];
    const value = headers[name];
    const { required } = readPart(pointer) as { required: boolean };
    const isRequired = required || (status === 200 && RATE_HEADERS.includes(name));
    if (value === undefined) return isRequired ? [`${name} is missing.`] : [];
    const json = /^\d+$/.test(value) ? value : JSON.stringify(value);
    return findSchemaErrors([...pointer, 'schema'], json).map((error) => `${name}: ${error}`);
  });
  const undocumented = OCCASIONAL_HEADERS.filter((name) => name in headers && !(name in components));
  return [...errors, ...undocumented.map((name) => `${name} is undocumented.`)];
}

function readPart(pointer: Pointer): unknown {
  return pointer.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], openApi);
}
