import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshalled } from './unmarshalled.ts';

/** What became of a write with a condition; `current`: the item as it is now, when the write asks for it. */
export type WriteOutcome =
  | { readonly outcome: 'written'; readonly current: object | undefined }
  | { readonly outcome: 'condition-failed'; readonly current: object | undefined };

/** Waits for a write with a condition; it throws when anything else than the condition stands against the write. */
export async function conditionalWrite(write: Promise<{ Attributes?: object | undefined }>): Promise<WriteOutcome> {
  try {
    const { Attributes } = await write;
    return { outcome: 'written', current: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { outcome: 'condition-failed', current: unmarshalled(error.Item) };
  }
}
