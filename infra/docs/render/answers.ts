import type { Parameter, Response, Schema } from '../../openapi/operation.ts';
import { type AddressedOperation, resolve } from '../openapi.ts';
import type { Context } from './context.ts';
import { fieldList, joined, parameterList } from './fields.ts';
import { type Content, type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';

/** What an operation answers: the fields of its success, then every error by status, with examples. */
export function answers(context: Context, operation: AddressedOperation): Html {
  const { texts } = context;
  const { operationId: id, responses } = operation;
  const { content, headers } = responses['200']!;
  return html`<h4 id="${id}-answer">${texts.answer} <span class="status">200</span></h4>
    ${fieldList(context, content['application/json'].schema, `${id}-answer`)}
    <p>${texts.headers}: ${headerLinks(Object.keys(headers))}</p>
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
export function successExamples({ responses }: AddressedOperation): Content {
  return examplesOf(responses['200']!)
    .filter(({ code }) => code === undefined)
    .map(
      ({ summary, value }) =>
        html`<figure>
          <figcaption>${summary}</figcaption>
          <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>
        </figure>`,
    );
}

/** The form that all errors have, and the headers of all answers. */
export function commonAnswers(context: Context, operations: readonly AddressedOperation[]): Html {
  const { document, texts } = context;
  const responses = operations.flatMap((operation) => Object.values(operation.responses));
  const references = Object.assign({}, ...responses.map(({ headers }) => headers)) as Response['headers'];
  const headers = Object.entries(references).map(([name, reference]) => {
    const { required: _, ...header } = resolve<Parameter>(document, reference);
    return { ...header, name, in: 'header' };
  });
  return html`<section id="answers" class="operation">
    <div>
      <h2>${texts.answers}</h2>
      <h3 id="error-form" data-find="${texts.errorForm}">${texts.errorForm}</h3>
      <p>${inlineMarkdown(texts.errorFormText)}</p>
      ${fieldList(context, errorForm(context), 'error')}
    </div>
    <div class="doing">
      <h3 id="answer-headers" data-find="${texts.headers}">${texts.headers}</h3>
      ${parameterList(context, headers, 'header')}
    </div>
  </section>`;
}

/** The form of a validation error, with the code of any error; the details are there beside its own alone. */
function errorForm({ document }: Context): Schema {
  const answer = resolve<Schema>(document, { $ref: '#/components/schemas/ValidationErrorAnswer' });
  const error = resolve<Schema>(document, answer.properties!['error']!);
  const code = { type: 'string', enum: document['x-error-codes'].map((one) => one.code) };
  const anyError = { ...error, required: ['code', 'message'], properties: { ...error.properties, code } };
  return { ...answer, properties: { ...answer.properties, error: anyError } };
}

function errorRows({ responses }: AddressedOperation): Content {
  const usual = Object.keys(responses['200']!.headers);
  return Object.entries(responses).flatMap(([status, response]) => {
    const further = Object.keys(response.headers).filter((name) => !usual.includes(name));
    return examplesOf(response)
      .filter(({ code }) => code !== undefined)
      .map(
        ({ summary, value, code }) =>
          html`<tr>
            <td>
              <b class="${status === '200' ? 'status' : 'bad'}">${status}</b>
              <a href="#error-${code}"><code>${code}</code></a
              ><br />${inlineMarkdown(summary)}
              ${further.length > 0 && html`<br /><small>+ ${headerLinks(further)}</small>`}
            </td>
            <td><code>${JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')}</code></td>
          </tr>`,
      );
  });
}

/** The examples of an answer, each with the code of its error, in either protocol. */
function examplesOf({ content }: Response) {
  return Object.values(content['application/json'].examples ?? {}).map(({ summary, value }) => {
    const { error, Resultado } = value as { error?: { code: string }; Resultado?: { Codigo: string } };
    const code = error?.code ?? Resultado?.Codigo;
    return { summary, value, code: code === 'OK' ? undefined : code };
  });
}

function headerLinks(names: readonly string[]): Content {
  return joined(
    names.map((name) => html`<a href="#header.${name}"><code>${name}</code></a>`),
    ', ',
  );
}
