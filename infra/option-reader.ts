import { CommandError } from './process/terminal.ts';

/** The names that the CDK itself adds to the context, except those with a colon or a slash. */
const CDK_NAMES = ['cli-telemetry', 'acknowledged-issue-numbers'];

/** Reader of the options in the context. Each method throws a CommandError if its option is invalid. */
export class OptionReader {
  readonly #context: Readonly<Record<string, unknown>>;
  readonly #readNames: string[] = [];
  #defaults: Readonly<Record<string, unknown>> = {};
  #defaultsPlace = '';

  constructor(context: Readonly<Record<string, unknown>>) {
    this.#context = context;
  }

  /** Adds the values of options that the context does not contain. `place` is part of the errors. */
  addDefaults(defaults: Readonly<Record<string, unknown>>, place: string): void {
    this.#defaults = defaults;
    this.#defaultsPlace = place;
  }

  /** Reads a text that matches a pattern; undefined if the option is missing. `expected` is part of the error. */
  readText(name: string, pattern: RegExp, expected: string): string | undefined {
    this.#readNames.push(name);
    // Options can be numbers and booleans.
    const text = (this.#context[name] ?? this.#defaults[name])?.toString();
    if (text === undefined || pattern.test(text)) return text;
    const option = name in this.#context ? `-c ${name}=${text}` : `${name}: ${text} ${this.#defaultsPlace}`;
    throw new CommandError(`${option} is not ${expected}.`);
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
    const isUnknown = (name: string) => !this.#readNames.includes(name);
    const isOption = (name: string) => !/[:/]/.test(name) && !CDK_NAMES.includes(name);
    const inContext = Object.keys(this.#context).find((name) => isOption(name) && isUnknown(name));
    const inDefaults = Object.keys(this.#defaults).find(isUnknown);
    if (inContext === undefined && inDefaults === undefined) return;
    const unknown = inContext === undefined ? `${inDefaults} ${this.#defaultsPlace}` : `-c ${inContext}`;
    throw new CommandError(`${unknown} is not an option. The options are ${this.#readNames.join(', ')}.`);
  }
}
