import { parametersOf, type Parameter, type PlacedOperation, schemesOf } from '../openapi.ts';
import type { Context } from './context.ts';
import { type Html, html } from './html.ts';

/** The form that executes an operation, filled in with its example; the script of the page sends it. */
export function tryItForm(context: Context, operation: PlacedOperation, body: unknown): Html {
  const { texts } = context;
  const { operationId: id, method, path } = operation;
  const parameters = parametersOf(context.document, operation);
  // The tenant that every call needs is among the credentials of the page.
  const sendsTenant = parameters.some(({ name, required }) => name === 'tenant' && required);
  const fields = parameters.filter(({ name, required }) => name !== 'tenant' || !required);
  const text = body === undefined ? undefined : JSON.stringify(body, null, 2);
  return html`<form
    class="try needs-script"
    data-operation="${id}"
    data-method="${method}"
    data-path="${path}"
    data-credentials="${[...(sendsTenant ? ['tenant'] : []), ...schemesOf(operation)].join(' ')}"
    aria-labelledby="${id}-try"
  >
    <h4 id="${id}-try">${texts.tryIt}</h4>
    ${fields.length > 0 && html`<div class="inputs">${fields.map((field) => parameterField(context, field))}</div>`}
    ${
      text !== undefined &&
      html`<label
        >${texts.requestBody}
        <textarea name="body" rows="${Math.min(16, text.split('\n').length)}" spellcheck="false">${text}</textarea>
      </label>`
    }
    <div class="buttons">
      <button type="submit" class="primary">${texts.execute}</button>
      <button type="reset">${texts.reset}</button>
    </div>
  </form>`;
}

function parameterField(
  { language }: Context,
  { name, in: place, required = false, schema, example }: Parameter,
): Html {
  const value = name === 'Accept-Language' ? language : example;
  if (schema.enum !== undefined) {
    const options = ['', ...schema.enum].map((option) => html`<option>${String(option)}</option>`);
    return html`<label
      >${name}
      <select name="${name}" data-in="${place}">
        ${options}
      </select>
    </label>`;
  }
  return html`<label
    >${name}
    <input
      name="${name}"
      data-in="${place}"
      value="${value}"
      autocomplete="off"
      ${place === 'path' && required && 'required'}
    />
  </label>`;
}
