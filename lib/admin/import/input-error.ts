import { recordSchema, REQUIRED_OF_NEW } from './record-schema.ts';

/** Why a file cannot be read from a line on, in one sentence; what stands before that line can be imported. */
export class InputError extends Error {
  override readonly name: string = 'InputError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Why the header of a CSV cannot be used: everything that is wrong with it, and what it must have. */
export class HeaderError extends InputError {
  override readonly name = 'HeaderError';

  constructor(line: number, faults: readonly string[]) {
    const required = `Every file must have ${recordSchema.required.join(', ')}`;
    const ofNew = `new invoices need ${REQUIRED_OF_NEW.join(', ')}, too`;
    super(line, `The first line of the CSV is no header of invoices: ${faults.join('; ')}. ${required}; ${ofNew}.`);
  }
}
