import type { Exchange } from './exchange.ts';

const MOST_FAULTS = 5;
// What stands in every path, and tells nothing.
const COMMON_PATH = /^\/apidev(\/v1)?(\/supplier-portal)?(\/invoices(?=\/\w))?/;
const INVOICE_ID = /^\d{1,20}$/;
const WORD = /^_?[a-z]+([._-][a-z]+)*\d?$/i;
const LONGEST_WORD = 32;

/** The path without what all have in common; `…` stands for what is no word: it could be a secret. */
export function shortPath({ path, match }: Pick<Exchange, 'path' | 'match'>): string {
  const isVariable = (segment: string, place: number) => match?.resource.split('/')[place] === '{id}' && segment !== '';
  const segments = path.split('/').map((segment, place) => {
    if (isVariable(segment, place)) return '{id}';
    return segment === '' || (segment.length <= LONGEST_WORD && WORD.test(segment)) ? segment : '…';
  });
  return segments.join('/').replace(COMMON_PATH, '') || '/';
}

/** The invoices that a request names, such as `9001` or `9001 +2`; an id has digits only, and nothing else is shown. */
export function invoicesIn({ match, body }: Pick<Exchange, 'match' | 'body'>): string | undefined {
  const sent = parse(body);
  const declarations = [sent['declarations'] ?? sent['Declaraciones']].flat().map(asObject);
  const named = [match?.parameters ?? {}, sent, ...declarations].map(idIn);
  const [first, ...others] = named.filter((id) => typeof id === 'string' && INVOICE_ID.test(id)) as string[];
  return first === undefined || others.length === 0 ? first : `${first} +${others.length}`;
}

/** Why a request was refused, in the words of its answer. */
export function reasonIn({ reply }: Pick<Exchange, 'reply'>): string | undefined {
  const answer = parse(reply.body);
  const { code, message, details } = asObject(answer['error']);
  const { Exito, Codigo, Mensaje } = asObject(answer['Resultado']);
  if (Exito === false) return `${asText(Codigo)}: ${asText(Mensaje)}`;
  if (code === undefined) return undefined;
  const faults = [details ?? []].flat().map((fault) => faultText(asObject(fault)));
  const left = faults.length - MOST_FAULTS;
  const shown = [...faults.slice(0, MOST_FAULTS), ...(left > 0 ? [`and ${left} more`] : [])];
  return `${asText(code)}: ${shown.join('; ') || asText(message)}`;
}

/** The constraint `unicode` quotes names that were sent. */
function faultText({ constraints }: Record<string, unknown>): string {
  const { unicode, ...others } = asObject(constraints);
  return [...(unicode === undefined ? [] : ['a text is not well-formed Unicode']), ...Object.values(others)].join('; ');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function idIn({ id, invoice_id: invoiceId, IdFactura: legacyId }: Record<string, unknown>): unknown {
  return id ?? invoiceId ?? (Number.isSafeInteger(legacyId) ? String(legacyId) : legacyId);
}

function parse(text: string | Buffer): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text.toString()));
  } catch {
    return {};
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
