import type { Text } from '../../../lib/domain/language.ts';
import * as texts from '../../../lib/domain/texts.ts';
import * as constraintTexts from '../../../lib/http/constraint-texts.ts';

// Stands for a value in a text that takes one.
const VALUE = '\0';

const { KEYWORD_TEXTS, PATTERN_TEXTS, FORMAT_TEXTS, ...otherConstraints } = constraintTexts;
const anyValue = { limit: VALUE, allowedValues: [VALUE] } as unknown as constraintTexts.FaultParams;
const keywords = ['required', 'enum', 'minimum', 'maximum', 'maxLength', 'maxItems'];

/** What the service says of errors, in both languages. */
const MESSAGES: readonly Text[] = [
  ...[...Object.values(texts), ...Object.values(otherConstraints)].map((text: Text | ((value: never) => Text)) =>
    typeof text === 'function' ? text(VALUE as never) : text,
  ),
  ...keywords.flatMap((keyword) => KEYWORD_TEXTS[keyword]?.(anyValue) ?? []),
  ...Object.values({ ...PATTERN_TEXTS, ...FORMAT_TEXTS }),
];

/** An answer of the service in English, as it is in Spanish: with the messages of its errors translated. */
export function spanishAnswer(answer: unknown): unknown {
  const text = JSON.stringify(answer, function (this: { readonly property: string }, key, value: unknown) {
    if (key === 'message') return spanishMessage(value as string);
    if (key !== 'constraints') return value;
    const constraints = Object.entries(value as Readonly<Record<string, string>>);
    return Object.fromEntries(constraints.map(([name, fault]) => [name, spanishFault(this.property, fault)]));
  });
  return JSON.parse(text);
}

/** What is wrong with a property: most texts begin with its name. */
function spanishFault(property: string, english: string): string {
  const start = `${property} `;
  return english.startsWith(start) ? start + spanishMessage(english.slice(start.length)) : spanishMessage(english);
}

function spanishMessage(english: string): string {
  for (const { en, es } of MESSAGES) {
    const [start = '', end] = en.split(VALUE);
    if (end === undefined && en === english) return es;
    if (end !== undefined && english.startsWith(start) && english.endsWith(end))
      return es.replace(VALUE, english.slice(start.length, english.length - end.length));
  }
  throw new Error(`The service has no text like: ${english}`);
}
