import {
  type Header,
  type OpenApiDocument,
  type PlacedOperation,
  resolve,
  type Response,
  type Schema,
} from '../openapi.ts';
import type { Context } from './context.ts';
import { fieldList } from './fields.ts';
import { type Content, type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';

/** What an operation answers: the fields of its success, then every error by status, with examples. */
export function answers(context: Context, operation: PlacedOperation): Html {
  const { texts } = context;
  const id = operation.operationId;
  const success = operation.responses['200'];
  const content = success?.content?.['application/json'];
  return html`<h4 id="${id}-answer">${texts.answer} <span class="status">200</span></h4>
    ${content && fieldList(context, content.schema, `${id}-answer`)}
    <p class="answer-headers">${texts.headers}: ${headerNames(success?.headers)}</p>
    <h4 id="${id}-errors">${texts.errors}</h4>
    <table class="errors">
      <thead>
        <tr>
          <th scope="col">${texts.when}</th>
          <th scope="col">${texts.example}</th>
        </tr>
      </thead>
      <tbody>
        ${errorRows(operation)}
      </tbody>
    </table>`;
}

/** What an operation answers when it succeeds, each example by itself. */
export function successExamples(operation: PlacedOperation): Content {
  return examplesOf(operation.responses['200'])
    .filter(({ value }) => codeOf(value) === undefined)
    .map(
      ({ summary, value }) =>
        html`<figure>
          <figcaption>${summary}</figcaption>
          <pre class="example" tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>
        </figure>`,
    );
}

/** The form that all errors have, and the headers of all answers. */
export function commonAnswers(context: Context, operations: readonly PlacedOperation[]): Html {
  const { document, texts } = context;
  const headers = new Map<string, Header>();
  for (const { responses } of operations) {
    for (const [name, header] of Object.values(responses).flatMap((response) => Object.entries(response.headers ?? {})))
      if (!headers.has(name)) headers.set(name, resolve<Header>(document, header));
  }
  const entries = [...headers].map(
    ([name, { description = '', example }]) =>
      html`<li id="header.${name}" data-find>
        <p class="field"><code class="name">${name}</code> <span class="type">${texts.inHeader}</span></p>
        <p>${inlineMarkdown(description)}</p>
        ${example !== undefined && html`<p class="limits">${texts.suchAs} <code>${example}</code></p>`}
      </li>`,
  );
  return html`<section id="answers">
    <h2>${texts.answers}</h2>
    <div class="columns">
      <div>
        <h3 id="error-form" data-find="${texts.errorForm}">${texts.errorForm}</h3>
        <p>${inlineMarkdown(texts.errorFormText)}</p>
        ${fieldList(context, errorForm(document, operations), 'error')}
      </div>
      <div>
        <h3 id="answer-headers" data-find="${texts.headers}">${texts.headers}</h3>
        <ul class="fields">
          ${entries}
        </ul>
      </div>
    </div>
  </section>`;
}

/** The form of a validation error, with the code of any error; the details are there beside its own alone. */
function errorForm(document: OpenApiDocument, operations: readonly PlacedOperation[]): Schema {
  const answer = resolve<Schema>(document, { $ref: '#/components/schemas/ValidationErrorAnswer' });
  const error = resolve<Schema>(document, answer.properties!['error']!);
  const examples = operations.flatMap(({ responses }) => Object.values(responses).flatMap(examplesOf));
  const codes = new Set(examples.map(({ value }) => codeOf(value)).filter((code) => code !== undefined));
  const anyError = {
    ...error,
    required: ['code', 'message'],
    properties: { ...error.properties, code: { type: 'string', enum: [...codes] } },
  };
  return { ...answer, properties: { ...answer.properties, error: anyError } };
}

function errorRows({ responses }: PlacedOperation): Content {
  const usual = Object.keys(responses['200']?.headers ?? {});
  return Object.entries(responses).flatMap(([status, response]) => {
    const errors = examplesOf(response).filter(({ value }) => codeOf(value) !== undefined);
    const further = Object.keys(response.headers ?? {}).filter((name) => !usual.includes(name));
    if (errors.length === 0 && status !== '200') return [row(status, response.description, undefined, further)];
    return errors.map(({ summary, value }) => row(status, summary, value, further));
  });
}

function examplesOf(response: Response | undefined) {
  return Object.values(response?.content?.['application/json'].examples ?? {});
}

function row(status: string, summary: string, value: unknown, further: readonly string[]): Html {
  const code = codeOf(value);
  return html`<tr>
    <td>
      <b class="${status === '200' ? 'status' : 'status bad'}">${status}</b>
      ${code !== undefined && html`<a href="#error-${code}"><code>${code}</code></a>`}<br />${inlineMarkdown(summary)}
      ${further.length > 0 && html`<br /><small>+ ${headerLinks(further)}</small>`}
    </td>
    <td>${value !== undefined && html`<code class="json">${compact(value)}</code>`}</td>
  </tr>`;
}

/** The code of an error, in either protocol. */
function codeOf(value: unknown): string | undefined {
  const { error, Resultado } = (value ?? {}) as { error?: { code: string }; Resultado?: { Codigo: string } };
  const code = error?.code ?? Resultado?.Codigo;
  return code === 'OK' ? undefined : code;
}

/** JSON on one line, with spaces at which it may break. */
function compact(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}

function headerNames(headers: object | undefined): Content {
  return headerLinks(Object.keys(headers ?? {}));
}

function headerLinks(names: readonly string[]): Content {
  return names.map((name, index) => [index > 0 && ', ', html`<a href="#header.${name}"><code>${name}</code></a>`]);
}
