import type { Schema } from '../openapi.ts';
import type { Texts, pageTexts } from '../texts.ts';
import { type Content, html } from './html.ts';

type PageTexts = Texts<typeof pageTexts>;

/** The type of a value as JSON names it. */
export function typeText(schema: Schema, texts: PageTexts): string {
  const { type, items, anyOf, oneOf } = schema;
  if (schema.const !== undefined) return typeof schema.const;
  if (type === 'array') return items?.type === undefined ? 'array' : `array: ${typeText(items, texts)}`;
  if (type !== undefined) return [type].flat().join(` ${texts.or} `);
  return (anyOf ?? oneOf) ? 'object' : '';
}

/** What a value is held to, each limit by itself. */
export function limitTexts(schema: Schema, texts: PageTexts): Content[] {
  const limits: Content[] = [];
  const add = (limit: Content) => void limits.push(limit);
  if (schema.const !== undefined) add(html`${texts.always} ${code(schema.const)}`);
  if (schema.enum !== undefined) add(html`${texts.oneOfValues} ${listed(schema.enum)}`);
  add(size(schema.minLength, schema.maxLength, texts.characters, texts));
  add(range(schema.minimum, schema.maximum, '', texts));
  add(size(schema.minItems, schema.maxItems, texts.items, texts));
  if (schema.format !== undefined) add(`${texts.format} ${schema.format}`);
  if (schema.pattern !== undefined) add(html`${texts.pattern} ${code(schema.pattern, false)}`);
  if (schema.default !== undefined) add(html`${texts.byDefault} ${code(schema.default)}`);
  return limits.filter((limit) => limit !== undefined);
}

function size(least: number | undefined, most: number | undefined, unit: string, texts: PageTexts): Content {
  return least === 1 && most === undefined ? texts.notEmpty : range(least, most, unit, texts);
}

function range(lowest: number | undefined, highest: number | undefined, unit: string, texts: PageTexts): Content {
  const { atLeast, atMost, to } = texts;
  if (lowest === undefined && highest === undefined) return undefined;
  // The largest number that JSON keeps exactly is no limit of the service.
  if (highest === undefined || highest === Number.MAX_SAFE_INTEGER) return `${atLeast} ${lowest ?? 0} ${unit}`.trim();
  if (lowest === undefined) return `${atMost} ${highest} ${unit}`.trim();
  return `${lowest} ${to} ${highest} ${unit}`.trim();
}

function listed(values: readonly unknown[]): Content {
  return values.map((value, index) => [index > 0 && ', ', code(value)]);
}

function code(value: unknown, asJson = true): Content {
  return html`<code>${asJson && typeof value !== 'string' ? JSON.stringify(value) : String(value)}</code>`;
}
