import { parametersOf, type Parameter, type PlacedOperation, schemesOf } from '../openapi.ts';
import { exampleBody, sampleCall } from '../samples/sample-call.ts';
import { sampleLanguages } from '../samples/samples.ts';
import { operationNames } from '../texts.ts';
import { answers, successExamples } from './answers.ts';
import type { Context } from './context.ts';
import { fieldList, parameterList } from './fields.ts';
import { highlight } from './highlight.ts';
import { type Content, type Html, html } from './html.ts';
import { markdown } from './markdown.ts';
import { tryItForm } from './try-it.ts';

/** The short name of an operation. */
export function operationName({ language }: Pick<Context, 'language'>, operationId: string): string {
  return operationNames[operationId]?.[language] ?? operationId;
}

/** Everything about one operation: what it takes and answers, beside its samples and the form to try it. */
export function operationSection(context: Context, operation: PlacedOperation): Html {
  const { texts } = context;
  const { operationId: id, method, path, summary, description } = operation;
  const body = operation.requestBody?.content['application/json'];
  const parameters = [...parametersOf(context.document, operation), ...credentialHeaders(context, operation)];
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
    <div class="intro">
      <h3 id="${id}-title" data-find="operation">${operationName(context, id)}</h3>
      <p class="address"><b class="method ${method.toLowerCase()}">${method}</b> <code>${breakable(path)}</code></p>
      <p class="summary">${summary}</p>
      ${markdown(description)}
    </div>
    <div class="doing">
      ${samples(context, operation)} ${context.tryIt && tryItForm(context, operation, exampleBody(operation))}
      <h4>${texts.answer} <span class="status">200</span></h4>
      ${successExamples(operation)}
    </div>
    <div class="reading">
      ${
        parameters.length > 0 &&
        html`<h4 id="${id}-parameters">${texts.parameters}</h4>
          ${parameterList(context, parameters, `${id}-parameters`)}`
      }
      ${
        body &&
        html`<h4 id="${id}-body">${texts.body}</h4>
          ${fieldList(context, body.schema, `${id}-body`)}`
      }
      ${answers(context, operation)}
    </div>
  </section>`;
}

function samples(context: Context, operation: PlacedOperation): Html {
  const { texts, sampleUrl: baseUrl, account } = context;
  const call = sampleCall(context.document, operation, { baseUrl, account });
  const languages = Object.entries(sampleLanguages);
  const buttons = languages.map(
    ([key, { name }]) => html`<button type="button" data-choose="${key}" aria-pressed="false">${name}</button>`,
  );
  const blocks = languages.map(
    ([key, { name, sample }]) =>
      html`<figure class="sample" data-sample="${key}">
        <figcaption>${name}</figcaption>
        <pre tabindex="0"><code>${highlight(sample(call))}</code></pre>
      </figure>`,
  );
  return html`<h4>${texts.sample}</h4>
    <div class="chooser needs-script">
      <div class="languages" role="group" aria-label="${texts.samples}">${buttons}</div>
      <button type="button" class="copy">${texts.copy}</button>
    </div>
    ${blocks}`;
}

/** The headers of the security schemes, as parameters. */
function credentialHeaders({ document }: Context, operation: PlacedOperation): Parameter[] {
  const { securitySchemes } = document.components as { securitySchemes: Record<string, SecurityScheme> };
  return schemesOf(operation).map((name) => {
    const { description, name: header = 'Authorization', scheme } = securitySchemes[name] ?? {};
    return {
      name: header,
      in: 'header',
      required: true,
      schema: { type: 'string' },
      ...(description !== undefined && { description }),
      ...(scheme === 'bearer' && { example: 'Bearer <token>' }),
    };
  });
}

interface SecurityScheme {
  readonly description?: string;
  readonly name?: string;
  readonly scheme?: string;
}

/** A path that a narrow page may break before each slash. */
function breakable(path: string): Content {
  return path
    .split('/')
    .slice(1)
    .map((part) => html`<wbr />/${part}`);
}
