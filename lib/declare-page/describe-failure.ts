import { PortalError } from '../client/index.ts';
import type { Text } from '../domain/language.ts';
import { supplierRequired, userInactive, wrongLogin } from '../domain/texts.ts';
import { pageTexts } from './page-texts.ts';

// The service returns these messages in English to every client. The page shows a translation in Spanish.
const SPANISH_MESSAGES = new Map([
  [wrongLogin.en, 'El correo o la contraseña no son válidos.'],
  [userInactive.en, 'El usuario no está activo.'],
  [supplierRequired.en, 'La cuenta no es de un prestador.'],
]);

/** Describes why a call failed. The id of its request follows, so that the operators can find it. */
export function describeFailure(error: unknown): Text {
  if (!(error instanceof PortalError)) return { en: String(error), es: String(error) };
  const text = describePortalError(error);
  if (error.requestId === null) return text;
  const suffix = pageTexts.requestSuffix(error.requestId);
  return { en: text.en + suffix.en, es: text.es + suffix.es };
}

function describePortalError({ code, message, status }: PortalError): Text {
  if (code === 'NETWORK_ERROR') return pageTexts.noResponse;
  if (code === 'INVALID_RESPONSE') return pageTexts.invalidResponse(status);
  return { en: message, es: SPANISH_MESSAGES.get(message) ?? message };
}
