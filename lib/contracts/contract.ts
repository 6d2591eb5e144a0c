import type { ValidateFunction } from 'ajv';
import type { AccessKind } from '../domain/directory.ts';
import type { ErrorCode } from '../domain/errors.ts';

/** A JSON Schema (draft-07), written `as const` so that its type can be derived from it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The groups of the documentation. */
export type ContractTag = 'Session' | 'Invoices' | 'Declarations' | 'Legacy';

/** One endpoint as its callers see it. The OpenAPI document, the validators and the request's type come from here. */
export interface Contract {
  /** The stem of its function, its endpoint and its route. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Which group of the documentation it belongs to. */
  readonly tag: ContractTag;
  readonly summary: string;
  /** What its callers should know beside the summary and the fields, in Markdown. */
  readonly description: string;
  /** Which permission and rate limit it falls under; null: no token is needed. */
  readonly access: AccessKind | null;
  /** Where its input comes from; the whole input is one object. */
  readonly source: 'body' | 'query' | 'path';
  readonly request: JsonSchema;
  /** The schema that the whole request must match, if that is less than `request`: the items are validated one by one. */
  readonly requestAsWhole?: JsonSchema;
  /** The largest body that is parsed, when it is less than that of every endpoint. */
  readonly maxBodyBytes?: number;
  /** The schema of `data`. */
  readonly response: JsonSchema;
  /** Whether `meta` describes a page of a list; otherwise it is an empty object. */
  readonly paged: boolean;
  /** Codes that it answers with besides those of every endpoint of its kind. */
  readonly errors: readonly ErrorCode[];
}

/** Says whether an input is valid for the contract of this name; no contract takes the validator of another. */
export interface Validator<Name extends string, Input> extends ValidateFunction<Input> {
  readonly contract: Name;
}
