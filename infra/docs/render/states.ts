import {
  INVOICE_STATES,
  isDecided,
  isDeclarable,
  STATE_CODES,
  stateAfter,
  type StateCode,
} from '../../../lib/domain/invoice-states.ts';
import { stateMeanings } from '../texts.ts';
import type { Context } from './context.ts';
import { type GuidePart, guideText } from './guide.ts';
import { type Html, html } from './html.ts';

const box = { width: 160, height: 50 };

/** The states of an invoice: a picture that follows the colours of the page, and what the guide says of them. */
export function statesSection(context: Context, { id, title, source }: GuidePart): Html {
  return html`<section id="states" aria-labelledby="${id}">
    <h2 id="${id}" data-find="guide">${title}</h2>
    <div class="states">${diagram(context)} ${guideText(source)}</div>
  </section>`;
}

/** From above: what waits for a declaration, what a declaration makes of it, and the end. */
function diagram(context: Context): Html {
  const { texts } = context;
  const [approved, review] = [stateAfter('AUTO_APPROVE'), stateAfter('REVIEW')];
  const others = STATE_CODES.filter((state) => isDeclarable(state) && state !== approved && state !== review);
  const settled = STATE_CODES.filter((state) => !isDeclarable(state));
  const decided = STATE_CODES.filter(isDecided);
  const below = 36 + Math.ceil(others.length / 2) * 60;
  const end = below + 160;
  return html`<svg class="diagram" viewBox="0 0 380 ${end + 130}" role="img" aria-label="${texts.diagram}">
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
        <path d="M0 0 8 4 0 8z" />
      </marker>
    </defs>
    <text class="note" x="190" y="14">${texts.declarable}</text>
    <rect class="group" x="2" y="22" width="376" height="${end - 22}" rx="12" />
    ${others.map((state, index) => stateBox(context, state, 20 + (index % 2) * 180, 36 + Math.floor(index / 2) * 60))}
    <text class="note strong" x="190" y="${below + 24}">${texts.declare}</text>
    <path d="M20 ${below + 4} H360" />
    ${arrowDown(100, below + 4, below + 88, texts.autoApproved)}
    <text class="note left" x="109" y="${below + 72}">${texts.notFrom} ${decided.join(', ')}</text>
    ${arrowDown(280, below + 4, below + 88, texts.toReview)} ${stateBox(context, approved, 20, below + 90)}
    ${stateBox(context, review, 200, below + 90)}
    <path d="M180 ${below + 107} H198" marker-end="url(#arrow)" />
    <path d="M200 ${below + 123} H182" marker-end="url(#arrow)" />
    ${arrowDown(190, end, end + 48, texts.byCompany)} ${settled.map((state) => stateBox(context, state, 110, end + 50))}
    <text class="note" x="190" y="${end + 118}">${texts.settled}</text>
  </svg>`;
}

function stateBox(context: Context, state: StateCode, x: number, y: number): Html {
  const middle = x + box.width / 2;
  return html`<rect class="state" x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="10" />
    <text class="state-code" x="${middle}" y="${y + 21}">${state}</text>
    <text class="note" x="${middle}" y="${y + 40}">${meaning(context, state)}</text>`;
}

function arrowDown(x: number, from: number, to: number, text: string): Html {
  return html`<path d="M${x} ${from} V${to}" marker-end="url(#arrow)" />
    <text class="note left" x="${x + 9}" y="${(from + to) / 2 + 10}">${text}</text>`;
}

/** What a state means; in Spanish the name that the service gives it. */
function meaning({ language }: Context, state: StateCode): string {
  return language === 'es' ? INVOICE_STATES[state].name : stateMeanings[state];
}
