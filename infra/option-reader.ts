import { CommandError } from './process/terminal.ts';

/** The names without a colon or a slash that the CDK itself adds to the context. */
const CDK_NAMES = ['cli-telemetry', 'acknowledged-issue-numbers'];

/** Reads options of the context, and collects their names. Each read throws a CommandError if the option is invalid. */
export class OptionReader {
  readonly #context: Readonly<Record<string, unknown>>;
  readonly #names: string[] = [];

  constructor(context: Readonly<Record<string, unknown>>) {
    this.#context = context;
  }

  /** Reads a text that matches a pattern, or undefined if the option is missing. */
  readText(name: string, pattern: RegExp, expected: string): string | undefined {
    this.#names.push(name);
    // The context of cdk.json can contain numbers and booleans.
    const text = this.#context[name]?.toString();
    if (text !== undefined && !pattern.test(text)) throw new CommandError(`-c ${name}=${text} is not ${expected}.`);
    return text;
  }

  /** Reads an option with fixed values, the first of which is the default. */
  readChoice<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    const pattern = new RegExp(`^(?:${values.join('|')})$`);
    return (this.readText(name, pattern, `one of ${values.join(', ')}`) ?? values[0]) as Value;
  }

  readFlag(name: string, byDefault = false): boolean {
    return this.readChoice(name, byDefault ? ['true', 'false'] : ['false', 'true']) === 'true';
  }

  readWholeNumber(name: string): number | undefined {
    const text = this.readText(name, /^[1-9]\d{0,8}$/, 'a whole number from 1 to 999999999');
    return text === undefined ? undefined : Number(text);
  }

  /** Throws a CommandError if the context contains an option that was not read. */
  rejectUnknown(): void {
    const knownNames = [...this.#names, ...CDK_NAMES];
    const unknown = Object.keys(this.#context).find((name) => !/[:/]/.test(name) && !knownNames.includes(name));
    if (unknown === undefined) return;
    throw new CommandError(`-c ${unknown} is not an option. The options are ${this.#names.join(', ')}.`);
  }
}
