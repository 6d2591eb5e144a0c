import { Big } from 'big.js';
import { PortalError } from '../client/index.ts';
import type { Language, Text } from '../domain/language.ts';
import { supplierRequired, userInactive, wrongLogin } from '../domain/texts.ts';
import type { LineResult, Outcome } from './line-result.ts';
import { outcomeTexts, pageTexts } from './page-texts.ts';

// The Spanish translations of the messages of the service that are English in every language.
const SPANISH_MESSAGES = new Map([
  [wrongLogin.en, 'El correo o la contraseña no son válidos.'],
  [userInactive.en, 'El usuario no está activo.'],
  [supplierRequired.en, 'La cuenta no es de un prestador.'],
]);

/** Counts and sums the lines by outcome, in the order of the outcomes. The sums are exact. */
export function computeTotals(results: readonly LineResult[]) {
  const groups = Map.groupBy(results, ({ outcome }) => outcome);
  return (Object.keys(outcomeTexts) as Outcome[]).flatMap((outcome) => {
    const lines = groups.get(outcome);
    return lines ? [{ outcome, count: lines.length, sum: sumAmounts(lines) }] : [];
  });
}

export function sumAmounts(lines: readonly LineResult[]): Big {
  return lines.reduce((sum, { declaration }) => sum.plus(declaration.amount), new Big(0));
}

export const LOCALES: Text = { en: 'en-US', es: 'es-AR' };

/** Formats an amount with all its decimals, and at least two, and with separators of thousands. */
export function formatAmount(amount: Big | number, language: Language): string {
  const format = new Intl.NumberFormat(LOCALES[language], { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  // A string keeps all digits of the number.
  return format.format(new Big(amount).toFixed() as `${number}`);
}

/** Describes why a call failed with the message of the service or of the client. */
export function describeFailure(error: unknown): Text {
  if (!(error instanceof PortalError)) return { en: String(error), es: String(error) };
  const { code, message, status, requestId } = error;
  let text: Text = { en: message, es: SPANISH_MESSAGES.get(message) ?? message };
  if (code === 'INVALID_RESPONSE') text = pageTexts.invalidResponse(status);
  if (code === 'NETWORK_ERROR') text = pageTexts.noResponse;
  const request = requestId === null ? { en: '', es: '' } : pageTexts.request(requestId);
  return { en: text.en + request.en, es: text.es + request.es };
}
