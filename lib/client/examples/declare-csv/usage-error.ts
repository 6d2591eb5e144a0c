import type { Text } from '../../../domain/language.ts';

/** A reason, in one line of each language, why the script cannot run at all. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly text: Text;

  constructor(text: Text) {
    super(text.en);
    this.text = text;
  }
}
