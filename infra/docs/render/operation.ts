import type { Parameter } from '../../openapi/operation.ts';
import { parametersOf, type AddressedOperation } from '../openapi.ts';
import { type SampleCall, sampleCall } from '../samples/sample-call.ts';
import { sampleLanguages } from '../samples/samples.ts';
import { operationNames } from '../texts.ts';
import { answers, successExamples } from './answers.ts';
import type { Context } from './context.ts';
import { fieldList, parameterList } from './fields.ts';
import { type Html, html } from './html.ts';
import { markdown } from './markdown.ts';

/** The short name of an operation. */
export function operationName({ language }: Pick<Context, 'language'>, operationId: string): string {
  return operationNames[operationId]?.[language] ?? operationId;
}

/**
 * Everything about one operation: what it takes and answers, beside its samples and the form to try it. It can be
 * folded away; without a script it is open.
 */
export function operationSection(context: Context, operation: AddressedOperation): Html {
  const { document, texts, settings, sampleUrl, account } = context;
  const { operationId: id, method, path, summary, description } = operation;
  const name = operationName(context, id);
  const body = operation.requestBody?.content['application/json'];
  const parameters = [...parametersOf(document, operation), ...credentialHeaders(context, operation)];
  const call = sampleCall(id, sampleUrl, account);
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title" data-find="${name}">
    <details class="fold" open>
      <summary>
        <h3 id="${id}-title">${name}</h3>
        <span><b class="method">${method}</b> <code>${path}</code></span>
      </summary>
      <div class="columns">
        <div class="intro">
          <p><b>${summary}</b></p>
          ${markdown(description)}
        </div>
        <div class="doing">
          ${samples(context, call)} ${settings && tryItForm(context, operation, call)}
          <h4>${texts.answer} <span class="status">200</span></h4>
          ${successExamples(operation)}
        </div>
        <div>
          <h4 id="${id}-parameters">${texts.parameters}</h4>
          ${parameterList(context, parameters, `${id}-parameters`)}
          ${
            body &&
            html`<h4 id="${id}-body">${texts.body}</h4>
              ${fieldList(context, body.schema, `${id}-body`)}`
          }
          ${answers(context, operation)}
        </div>
      </div>
    </details>
  </section>`;
}

/** The headers of the security schemes, as parameters. */
function credentialHeaders({ document }: Context, { security }: AddressedOperation): Parameter[] {
  if (security.length === 0) return [];
  const { token, apiKey } = document.components.securitySchemes;
  const header = { in: 'header', required: true, schema: { type: 'string' } };
  return [
    { ...header, name: 'Authorization', description: token.description, example: 'Bearer <token>' },
    { ...header, name: apiKey.name, description: apiKey.description },
  ];
}

function samples({ texts }: Context, call: SampleCall): Html {
  const blocks = Object.entries(sampleLanguages).map(
    ([key, { name, sample }]) =>
      html`<figure class="sample" data-sample="${key}">
        <figcaption>${name}</figcaption>
        <pre tabindex="0"><code>${sample(call)}</code></pre>
      </figure>`,
  );
  return html`<h4 class="row">
      ${texts.sample} <button type="button" class="copy needs-script">${texts.copy}</button>
    </h4>
    ${blocks}`;
}

/** The form that executes an operation, filled in with its example; the script of the page sends it. */
function tryItForm(context: Context, operation: AddressedOperation, call: SampleCall): Html {
  const { document, texts, language } = context;
  const { operationId: id, method, path, security } = operation;
  const parameters = parametersOf(document, operation);
  // The tenant that every call needs is among the credentials of the page.
  const sendsTenant = parameters.some(({ name, required }) => name === 'tenant' && required);
  const fields = parameters.filter(({ name, required }) => name !== 'tenant' || !required);
  const body = call.body === undefined ? undefined : JSON.stringify(call.body, null, 2);
  return html`<form
    class="try needs-script"
    data-method="${method}"
    data-path="${path}"
    data-credentials="${[...(sendsTenant ? ['tenant'] : []), ...Object.keys(security[0] ?? {})].join(' ')}"
    aria-labelledby="${id}-try"
  >
    <h4 id="${id}-try">${texts.tryIt}</h4>
    <div class="inputs">${fields.map((field) => parameterField(language, field))}</div>
    ${
      body !== undefined &&
      html`<label
        >${texts.requestBody}
        <textarea name="body" rows="${Math.min(16, body.split('\n').length)}" spellcheck="false">${body}</textarea>
      </label>`
    }
    <div class="buttons">
      <button type="submit" class="primary">${texts.execute}</button>
      <button type="reset">${texts.reset}</button>
    </div>
  </form>`;
}

function parameterField(language: string, { name, in: part, required, schema, example }: Parameter): Html {
  const value = name === 'Accept-Language' ? language : example;
  const field = schema.enum
    ? html`<select name="${name}" data-in="${part}">
        ${['', ...schema.enum].map((option) => html`<option>${String(option)}</option>`)}
      </select>`
    : html`<input
        name="${name}"
        data-in="${part}"
        value="${value}"
        ${name.endsWith('date') && html`type="date"`}
        autocomplete="off"
        ${part === 'path' && required && 'required'}
      />`;
  return html`<label>${name} ${field}</label>`;
}
