import type { ValidateFunction } from 'ajv';
import type { ErrorCode } from '../domain/error-codes.ts';
import type { AccessKind } from '../domain/directory.ts';

/** A JSON Schema (draft-07), written `as const` so that its type can be derived from it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export type ContractTag = 'Session' | 'Invoices' | 'Declarations' | 'Legacy';

/** The contract of an endpoint, from which the OpenAPI document, the validators and the request's type are made. */
export interface Contract {
  /** The file name of its function and its endpoint, and the name of its route. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly tag: ContractTag;
  /** The permission and the rate limit that apply; null: no token is needed. */
  readonly access: AccessKind | null;
  /** The part of the request that contains the input; the whole input is one object. */
  readonly source: 'body' | 'query' | 'path';
  readonly request: JsonSchema;
  /** The schema of the whole request if it is less strict than `request`, because items are validated one by one. */
  readonly requestAsWhole?: JsonSchema;
  /** The maximum size of a body, if it is less than the limit of all endpoints. */
  readonly maxBodyBytes?: number;
  /** The schema of `data`. */
  readonly response: JsonSchema;
  /** True if `meta` describes a page of a list; otherwise `meta` is an empty object. */
  readonly paged: boolean;
  /** The error codes that it returns in addition to those of all endpoints of its kind. */
  readonly errors: readonly ErrorCode[];
}

/** The validator of a contract; its type has the contract's name, so that no other contract accepts it. */
export interface Validator<Name extends string, Input> extends ValidateFunction<Input> {
  readonly contract: Name;
}
