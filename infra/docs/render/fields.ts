import { type Parameter, resolveSchema, type Schema } from '../openapi.ts';
import type { Context } from './context.ts';
import { type Content, type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';
import { limitTexts, typeText } from './schema-texts.ts';

/** The fields of a value, with those of the values in it; every field has an address that begins with `id`. */
export function fieldList(context: Context, schema: Schema, id: string): Content {
  const resolved = resolveSchema(context.document, schema);
  const forms = resolved.anyOf ?? resolved.oneOf;
  if (forms !== undefined) return formList(context, forms, id);
  if (resolved.items !== undefined) return fieldList(context, resolved.items, id);
  const { properties, required = [] } = resolved;
  if (properties === undefined) return undefined;
  const entries = Object.entries(properties).map(([name, property]) =>
    fieldEntry(context, { name, schema: property, required: required.includes(name), id: `${id}.${name}` }),
  );
  return html`<ul class="fields">
    ${entries}
  </ul>`;
}

/** Parameters of an operation, as a list of fields. */
export function parameterList(context: Context, parameters: readonly Parameter[], id: string): Html {
  const { inPath, inQuery, inHeader } = context.texts;
  const places: Readonly<Record<string, string>> = { path: inPath, query: inQuery, header: inHeader };
  const entries = parameters.map(({ name, in: place, required = false, description, schema, example }) =>
    fieldEntry(context, {
      name,
      schema: description === undefined ? schema : { ...schema, description },
      required,
      id: `${id}.${name}`,
      place: places[place],
      example,
    }),
  );
  return html`<ul class="fields">
    ${entries}
  </ul>`;
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly id: string;
  readonly place?: string | undefined;
  readonly example?: string | number | undefined;
}

function fieldEntry(context: Context, { name, schema, required, id, place, example }: Field): Html {
  const { texts } = context;
  const resolved = resolveSchema(context.document, schema);
  const limits = limitTexts(resolved, texts);
  const items = resolved.items && limitTexts(resolveSchema(context.document, resolved.items), texts);
  const { description } = resolved;
  const facts = [
    ...limits,
    ...(items ?? []).map((limit) => [`${texts.each}: `, limit]),
    ...(example === undefined ? [] : [html`${texts.suchAs} <code>${example}</code>`]),
  ];
  return html`<li id="${id}" data-find>
    <p class="field">
      <code class="name">${name}</code> <span class="type">${typeText(resolved, texts)}</span>
      ${place && html`<span class="type">${place}</span>`}
      ${required ? html`<b class="required">${texts.required}</b>` : html`<span class="type">${texts.optional}</span>`}
    </p>
    ${description !== undefined && html`<p>${inlineMarkdown(description)}</p>`}
    ${facts.length > 0 && html`<p class="limits">${joined(facts)}</p>`} ${fieldList(context, resolved, id)}
  </li> `;
}

function formList(context: Context, forms: readonly Schema[], id: string): Content {
  const shown = forms.map((form, index) => {
    const name = form.$ref?.split('/').at(-1) ?? `${context.texts.form} ${index + 1}`;
    return html`<li>
      <p class="form">${name}</p>
      ${fieldList(context, form, `${id}.${index + 1}`)}
    </li>`;
  });
  return html`<p class="form">${context.texts.oneOf}</p>
    <ol class="forms">
      ${shown}
    </ol>`;
}

function joined(limits: readonly Content[]): Content {
  return limits.map((limit, index) => [index > 0 && '; ', limit]);
}
