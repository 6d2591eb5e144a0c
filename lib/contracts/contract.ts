import type { ValidateFunction } from 'ajv';
import type { ErrorCode } from '../domain/errors.ts';
import type { AccessKind } from '../domain/directory.ts';
import type { Text } from '../domain/language.ts';
import { LIMITS } from '../domain/limits.ts';

/** A JSON Schema (draft-07), written `as const` so that the type of a valid value can be derived from it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** The contract of an endpoint, from which the validators, the request's type and its documentation are made. */
export interface Contract {
  /** The name of the route, and of the files of its function and its endpoint. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly tag: 'Session' | 'Invoices' | 'Declarations' | 'Legacy';
  /** The permission and the rate limit that apply; null if the endpoint needs no token. */
  readonly access: AccessKind | null;
  /** The part of the request that contains the input, which is one object. */
  readonly source: 'body' | 'query' | 'path';
  readonly request: JsonSchema;
  /** A less strict schema of the whole request, if its items are validated one by one with the schema in `request`. */
  readonly requestAsWhole?: JsonSchema;
  readonly maxBodyBytes?: number;
  /** The error codes of the endpoint that other endpoints of its kind do not return. */
  readonly errors?: readonly ErrorCode[];
}

/** The validator of a contract. Its type contains the name of the contract, so that no other contract accepts it. */
export interface Validator<Name extends string, Input> extends ValidateFunction<Input> {
  readonly contract: Name;
}

// The documentation of an endpoint is in a separate `<name>.doc.ts`, so that no bundle of a function contains it.

/** The demo account that sends the sample requests. */
export interface SampleAccount {
  readonly tenant: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
}

/** The properties of an input. A property that is undefined is not sent. */
export type SampleInput = Readonly<Record<string, unknown>>;

/** An example of a response: its heading, and how its request differs from the sample request. */
export interface RecordedCase extends Text {
  /** The error code of the response. The recording fails if the response has another code or status. */
  readonly code: 'OK' | ErrorCode;
  /** The key of the example in the document. The key is unique in its operation; by default, `success` or the code. */
  readonly name?: string;
  readonly input?: SampleInput;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The e-mail address of the demo user that sends the request, if it is not the sample account. */
  readonly user?: string;
}

export interface SampleCalls {
  readonly sample: SampleInput | ((account: SampleAccount) => SampleInput);
  readonly cases: readonly RecordedCase[];
}

/** The named schemas of a contract, and the translations of their descriptions. */
export interface SchemaTexts {
  /** The schemas by their names in the OpenAPI document. A schema with a comment is also a type of the client. */
  readonly schemas: Readonly<Record<string, readonly [schema: JsonSchema, comment?: string]>>;
  /** The Spanish texts by the English descriptions. */
  readonly spanish: Readonly<Record<string, string>>;
}

export interface ContractDoc extends SampleCalls, SchemaTexts {
  readonly summary: Text;
  readonly description: Text;
  /** The schema of `data` in a response. Responses are not validated, so that no bundle contains their schemas. */
  readonly response: JsonSchema;
  /** Present if `meta` describes a page of a list; otherwise `meta` is an empty object. */
  readonly isPaged?: true;
}

/** The headings of examples that several operations have. */
export const HEADINGS = {
  page: { en: 'The first two invoices of a month', es: 'Las dos primeras facturas de un mes' },
  approved: { en: 'Approved automatically', es: 'Aprobada automáticamente' },
  someDeclared: { en: 'One declared, one failed', es: 'Una declarada, una fallida' },
  invalidId: { en: 'An id that is not a number', es: 'Un id que no es un número' },
  longRange: { en: `A range of more than ${LIMITS.rangeDays} days`, es: `Un rango de más de ${LIMITS.rangeDays} días` },
  settled: { en: 'A settled invoice', es: 'Una factura liquidada' },
  notUnicode: { en: 'A text that is not valid Unicode', es: 'Un texto que no es Unicode válido' },
  othersInvoice: { en: 'An invoice of another supplier', es: 'Una factura de otro prestador' },
  inactiveUser: { en: 'The user is not active', es: 'El usuario no está activo' },
  suspended: { en: 'The company account is suspended', es: 'La cuenta de la empresa está suspendida' },
} as const satisfies Readonly<Record<string, Text>>;
