import type { ValidateFunction } from 'ajv';
import type { ErrorCode, ServiceError } from '../domain/errors.ts';
import type { AccessKind } from '../domain/directory.ts';
import type { Language, Text } from '../domain/language.ts';

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
  readonly then?: JsonSchema;
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
  /** The part of the request that contains the input, which is one object. `parameters`: those of path and query. */
  readonly source: 'body' | 'parameters';
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

/** An account, with the credentials of its requests. */
export interface SampleAccount {
  readonly tenant: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
}

/** The properties of an input. */
export type ExampleInput = Readonly<Record<string, unknown>>;

/** A request of the demo account that succeeds, and the result of its endpoint. The texts are the heading. */
export interface SuccessExample<Input = ExampleInput, Data = object> extends Text {
  readonly input: Input | ((account: SampleAccount) => Input);
  /** The data of the response, or a function that builds them if they contain messages. */
  readonly data: Data | ((language: Language) => Data);
  /** The error of each item of a batch; null for an item without an error. */
  readonly itemErrors?: readonly (ServiceError | null)[];
  /** The position of the page in its list. */
  readonly meta?: { readonly total: number; readonly limit: number; readonly offset: number };
}

/** A request of the demo account that its endpoint rejects. The texts are the heading. */
export interface RejectionExample extends Text {
  readonly input: ExampleInput;
  /** The error; by default, the VALIDATION_ERROR that the validator of the contract reports. */
  readonly error?: ServiceError;
}

/** The named schemas of a contract, and the translations of their descriptions. */
export interface SchemaTexts {
  /** The schemas by their names in the OpenAPI document. A schema with a comment is also a type of the client. */
  readonly schemas: Readonly<Record<string, readonly [schema: JsonSchema, comment?: string]>>;
  /** The Spanish texts by the English descriptions. */
  readonly spanish: Readonly<Record<string, string>>;
}

export interface ContractDoc extends SchemaTexts {
  readonly summary: Text;
  readonly description: Text;
  /** The schema of `data` in a response. Responses are not validated, so that no bundle contains their schemas. */
  readonly response: JsonSchema;
  /** Present if `meta` describes a page of a list; otherwise `meta` is an empty object. */
  readonly isPaged?: true;
  readonly examples: readonly SuccessExample[];
  /** The examples of rejected inputs. The errors that depend only on the caller are added to the document. */
  readonly rejections: readonly RejectionExample[];
}
