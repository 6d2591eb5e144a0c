import type { Text } from './language.ts';

/** What a cell says: the value to send, or what is wrong with it. */
export type Reading<Value> = { readonly value: Value } | { readonly fault: Text };
