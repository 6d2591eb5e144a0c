import { parametersOf, type Parameter, type PlacedOperation, schemesOf } from '../openapi.ts';
import { exampleBody, sampleCall } from '../samples/sample-call.ts';
import { sampleLanguages } from '../samples/samples.ts';
import { operationNames } from '../texts.ts';
import { answers, successExamples } from './answers.ts';
import type { Context } from './context.ts';
import { fieldList, parameterList } from './fields.ts';
import { type Html, html } from './html.ts';
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
  return html`<section
    class="operation"
    id="${id}"
    aria-labelledby="${id}-title"
    data-find="${operationName(context, id)}"
  >
    <div class="intro">
      <h3 id="${id}-title">${operationName(context, id)}</h3>
      <p class="address"><b class="method">${method}</b> <code>${path}</code></p>
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
  const blocks = Object.entries(sampleLanguages).map(
    ([key, { name, sample }]) =>
      html`<figure class="sample" data-sample="${key}">
        <figcaption>${name}</figcaption>
        <pre tabindex="0"><code>${sample(call)}</code></pre>
      </figure>`,
  );
  return html`<h4>${texts.sample} <button type="button" class="copy needs-script">${texts.copy}</button></h4>
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
