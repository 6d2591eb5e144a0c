import { CommandError } from './process/terminal.ts';

/** The names that the CDK itself adds to the context, except those with a colon or a slash. */
const CDK_NAMES = ['cli-telemetry', 'acknowledged-issue-numbers'];

/** Reader of the options in the context. Each method throws a CommandError if its option is invalid. */
export class OptionReader {
  readonly #context: Readonly<Record<string, unknown>>;
  readonly #readNames: string[] = [];

  constructor(context: Readonly<Record<string, unknown>>) {
    this.#context = context;
  }

  /** Reads a text that matches a pattern; undefined if the option is missing. `expected` is part of the error. */
  readText(name: string, pattern: RegExp, expected: string): string | undefined {
    this.#readNames.push(name);
    // The context of cdk.json can contain numbers and booleans.
    const text = this.#context[name]?.toString();
    if (text !== undefined && !pattern.test(text)) throw new CommandError(`-c ${name}=${text} is not ${expected}.`);
    return text;
  }

  /** Reads an option that has one of several values. The first value is the default. */
  readChoice<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    const pattern = new RegExp(`^(?:${values.join('|')})$`);
    return (this.readText(name, pattern, `one of ${values.join(', ')}`) ?? values[0]) as Value;
  }

  readFlag(name: string, defaultValue = false): boolean {
    return this.readChoice(name, defaultValue ? ['true', 'false'] : ['false', 'true']) === 'true';
  }

  readWholeNumber(name: string): number | undefined {
    const text = this.readText(name, /^[1-9]\d{0,8}$/, 'a whole number from 1 to 999999999');
    return text === undefined ? undefined : Number(text);
  }

  /** Throws a CommandError if the context contains an option that was not read. Call this method after all reads. */
  rejectUnknown(): void {
    const knownNames = [...this.#readNames, ...CDK_NAMES];
    const unknown = Object.keys(this.#context).find((name) => !/[:/]/.test(name) && !knownNames.includes(name));
    if (unknown === undefined) return;
    throw new CommandError(`-c ${unknown} is not an option. The options are ${this.#readNames.join(', ')}.`);
  }
}
