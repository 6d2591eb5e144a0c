import type { Text } from '../../../domain/language.ts';
import { PortalError } from '../../index.ts';
import { runTexts } from './texts/run.ts';

/** Why a call failed, for people: what the service said, and the client's own words in each language. */
export function reasonOf(error: unknown): Text {
  if (!(error instanceof PortalError)) return { en: String(error), es: String(error) };
  const { code, requestId } = error;
  const message = messageOf(error);
  const request = requestId === null ? { en: '', es: '' } : runTexts.request(requestId);
  return { en: `${code}: ${message.en}${request.en}`, es: `${code}: ${message.es}${request.es}` };
}

function messageOf({ code, message, status }: PortalError): Text {
  if (code === 'INVALID_RESPONSE') return runTexts.strangeAnswer(status);
  if (code !== 'NETWORK_ERROR') return { en: message, es: message };
  const [, ms] = / (\d+) ms/.exec(message) ?? [];
  return ms ? runTexts.noAnswerInTime(ms) : runTexts.noAnswer(/ \(\w+\)/.exec(message)?.[0] ?? '');
}
