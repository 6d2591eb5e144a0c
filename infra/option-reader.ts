import { CommandError } from './process/terminal.ts';

/** The names that the CDK itself adds to the context, except those with a colon or a slash. */
const CDK_NAMES = ['cli-telemetry', 'acknowledged-issue-numbers'];

/** Reader of the options of a deployment. Each method throws a CommandError if its option is invalid. */
export class OptionReader {
  readonly #readNames: string[] = [];
  #options: Readonly<Record<string, unknown>>;

  constructor(context: Readonly<Record<string, unknown>>) {
    this.#options = context;
  }

  /** Adds the options that the context does not contain. */
  addDefaults(defaults: Readonly<Record<string, unknown>>): void {
    this.#options = { ...defaults, ...this.#options };
  }

  /** Reads a text that matches a pattern; undefined if the option is missing. `expected` is part of the error. */
  readText(name: string, pattern: RegExp, expected: string): string | undefined {
    this.#readNames.push(name);
    // Options can be numbers and booleans.
    const text = this.#options[name]?.toString();
    if (text === undefined || pattern.test(text)) return text;
    throw new CommandError(`${name}=${text} is not ${expected}.`);
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

  /** Throws a CommandError for an option that was not read. Call this method after all reads. */
  rejectUnknown(): void {
    const isOption = (name: string) => !/[:/]/.test(name) && !CDK_NAMES.includes(name);
    const unknownName = Object.keys(this.#options).find((name) => isOption(name) && !this.#readNames.includes(name));
    if (unknownName !== undefined)
      throw new CommandError(`${unknownName} is not an option. The options are ${this.#readNames.join(', ')}.`);
  }
}
