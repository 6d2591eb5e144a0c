import type { Parameter, Schema } from '../../openapi/operation.ts';
import { resolveSchema } from '../openapi.ts';
import type { Context } from './context.ts';
import { type Content, type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';

/** The fields of a value, with those of the values in it; every field has an address that begins with `id`. */
export function fieldList(context: Context, schema: Schema, id: string): Content {
  const { anyOf, oneOf, items, properties, required = [] } = resolveSchema(context.document, schema);
  const forms = anyOf ?? oneOf;
  if (forms !== undefined) return formList(context, forms, id);
  if (items !== undefined) return fieldList(context, items, id);
  if (properties === undefined) return undefined;
  const fields = Object.entries(properties).map(([name, property]) => {
    return { name, in: '', required: required.includes(name), schema: property };
  });
  return parameterList(context, fields, id);
}

/** What a field is called, where it stands (empty: in a body), and what it holds. */
type Field = Pick<Parameter, 'name' | 'in' | 'schema'> & Partial<Parameter>;

/** Fields one below the other, such as parameters; every one has an address that begins with `id`. */
export function parameterList(context: Context, fields: readonly Field[], id: string): Html {
  return html`<ul class="fields">
    ${fields.map((field) => fieldEntry(context, field, `${id}.${field.name}`))}
  </ul>`;
}

function fieldEntry(context: Context, field: Field, id: string): Html {
  const { texts, document } = context;
  const schema = resolveSchema(document, field.schema);
  const { description = schema.description, example } = field;
  const type = typeText(schema, context);
  const place = field.in && texts[field.in as 'path' | 'query' | 'header'];
  const ofItems = schema.items ? limitTexts(resolveSchema(document, schema.items), context) : [];
  const limits = [
    ...limitTexts(schema, context),
    ...ofItems.map((limit) => [`${texts.each}: `, limit]),
    ...(example === undefined || schema.const !== undefined ? [] : [html`${texts.suchAs} <code>${example}</code>`]),
  ];
  return html`<li id="${id}" data-find>
    <p>
      <code><b>${field.name}</b></code>
      <small>${type} ${place}</small>
      ${field.required === true && html`<b class="required">${texts.required}</b>`}
      ${field.required === false && html`<small>${texts.optional}</small>`}
    </p>
    ${description !== undefined && html`<p>${inlineMarkdown(description)}</p>`}
    ${limits.length > 0 && html`<small>${joined(limits, '; ')}</small>`} ${fieldList(context, schema, id)}
  </li> `;
}

function formList(context: Context, forms: readonly Schema[], id: string): Html {
  const shown = forms.map(
    (form, index) =>
      html`<li>
        <p><b>${form.$ref?.split('/').at(-1) ?? `${context.texts.form} ${index + 1}`}</b></p>
        ${fieldList(context, form, `${id}.${index + 1}`)}
      </li>`,
  );
  return html`<p>${context.texts.oneOf}</p>
    <ol class="forms">
      ${shown}
    </ol>`;
}

/** The type of a value as JSON names it. */
function typeText(schema: Schema, context: Context): string {
  const { type, items, anyOf, oneOf } = schema;
  if (schema.const !== undefined) return typeof schema.const;
  if (type === 'array') return items?.type === undefined ? 'array' : `array: ${typeText(items, context)}`;
  if (type !== undefined) return [type].flat().join(` ${context.texts.or} `);
  return (anyOf ?? oneOf) ? 'object' : '';
}

/** What a value is held to, each limit by itself. */
function limitTexts(schema: Schema, { texts }: Context): Content[] {
  const limits: Content[] = [
    schema.const !== undefined && html`${texts.always} ${code(schema.const)}`,
    schema.enum && html`${texts.oneOfValues} ${joined(schema.enum.map(code), ', ')}`,
    range(texts, schema.minLength, schema.maxLength, texts.characters),
    range(texts, schema.minimum, schema.maximum),
    range(texts, schema.minItems, schema.maxItems, texts.items),
    schema.format && `${texts.format} ${schema.format}`,
    schema.pattern && html`${texts.pattern} ${code(schema.pattern)}`,
    schema.default !== undefined && html`${texts.byDefault} ${code(schema.default)}`,
  ];
  return limits.filter((limit) => limit !== undefined && limit !== false);
}

function range(texts: Context['texts'], lowest: number | undefined, highest: number | undefined, unit?: string) {
  if (lowest === undefined && highest === undefined) return undefined;
  if (unit !== undefined && lowest === 1 && highest === undefined) return texts.notEmpty;
  // The largest number that JSON keeps exactly is no limit of the service.
  const isOpen = highest === undefined || highest === Number.MAX_SAFE_INTEGER;
  const start = lowest === undefined ? texts.atMost : `${lowest} ${texts.to}`;
  return `${isOpen ? `${texts.atLeast} ${lowest ?? 0}` : `${start} ${highest}`} ${unit ?? ''}`.trim();
}

function code(value: unknown): Html {
  return html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;
}

/** Contents with something between them. */
export function joined(contents: readonly Content[], separator: string): Content {
  return contents.map((content, index) => [index > 0 && separator, content]);
}
