import type { Text } from './language.ts';

// Each text is a separate export, so that a bundle contains only the texts that its function uses.

// The interface requires these texts in every language. Clients distinguish causes of UNAUTHORIZED by the text.
export const tenantRequired: Text = /* @__PURE__ */ createFixedText('The tenant header is required.');
export const tokenExpired: Text = /* @__PURE__ */ createFixedText('the token has expired and a new login is needed');
export const wrongLogin: Text = /* @__PURE__ */ createFixedText('Invalid email or password.');
export const userInactive: Text = /* @__PURE__ */ createFixedText('User is not active');
export const supplierRequired: Text = /* @__PURE__ */ createFixedText('This endpoint requires a supplier account.');

function createFixedText(message: string): Text {
  return { en: message, es: message };
}

export const tenantInvalid: Text = { en: 'The tenant is not valid.', es: 'El tenant no es válido.' };
export const tokenInvalid: Text = {
  en: 'The access token is missing or invalid.',
  es: 'El token de acceso falta o no es válido.',
};
export const sessionEnded: Text = {
  en: 'The session has ended. Log in again.',
  es: 'La sesión terminó. Inicie sesión de nuevo.',
};
export const keyInvalid: Text = {
  en: 'The API key is missing or not valid.',
  es: 'La clave de API falta o no es válida.',
};
export const tooManyLogins: Text = {
  en: 'Too many failed login attempts. Try again later.',
  es: 'Demasiados intentos fallidos. Vuelva a intentarlo más tarde.',
};
export const userNotVerified: Text = {
  en: 'The user could not be verified at this moment.',
  es: 'No se pudo verificar al usuario en este momento.',
};
export const companySuspended: Text = {
  en: 'The company account is suspended.',
  es: 'La cuenta de la empresa está suspendida.',
};
export const permissionRequired = (permission: string): Text => ({
  en: `The permission ${permission} is required.`,
  es: `El usuario necesita el permiso ${permission}.`,
});
export const tooManyRequests: Text = {
  en: 'Too many requests. Retry after the time given in Retry-After.',
  es: 'Demasiadas solicitudes. Espere los segundos que indica Retry-After y vuelva a intentarlo.',
};
export const unexpected: Text = { en: 'An unexpected error occurred.', es: 'Se produjo un error inesperado.' };

export const invalidRequest = (properties: string): Text => ({
  en: `Invalid request: ${properties}.`,
  es: `Solicitud no válida: ${properties}.`,
});
/** The forms of ISO 8601 that the service accepts, for a text that also rejects dates in its other forms. */
export const dateForms: Text = {
  en: 'an existing date in the form 2026-08-31 or 2026-08-31T10:30:00-03:00',
  es: 'una fecha que exista, con la forma 2026-08-31 o 2026-08-31T10:30:00-03:00',
};
export const dateInvalid = (property: string): Text => ({
  en: `${property} must be ${dateForms.en}.`,
  es: `${property} debe ser ${dateForms.es}.`,
});
export const plusNotEncoded = (property: string): Text => ({
  en: `${property} has a blank in place of the + of its zone: encode + as %2B.`,
  es: `${property} tiene un espacio en lugar del + de su zona: escriba + como %2B.`,
});
export const endBeforeStart: Text = { en: 'enddate is before startdate.', es: 'enddate es anterior a startdate.' };
export const rangeTooLong = (days: number): Text => ({
  en: `The range may not exceed ${days} days.`,
  es: `Entre startdate y enddate puede haber ${days} días como máximo.`,
});
export const invoiceNotFound: Text = { en: 'The invoice was not found.', es: 'No se encontró la factura.' };
export const invoiceSettled: Text = {
  en: 'a settled invoice (LIQ) cannot be declared',
  es: 'una factura liquidada (LIQ) no puede declararse',
};
export const notWritten: Text = {
  en: 'The declaration could not be written.',
  es: 'La declaración no se pudo registrar.',
};
export const outcomeUnknown: Text = {
  en: 'The outcome is not known. Declare again: a repeated declaration changes nothing.',
  es: 'No se sabe si la declaración quedó registrada. Declare de nuevo: una declaración repetida no cambia nada.',
};

// The texts of the legacy route. Its responses contain the Spanish texts, and the log contains the English texts.
export const authorizationMalformed: Text = {
  en: 'WSAutorizacion is malformed.',
  es: 'WSAutorizacion falta o está mal formada.',
};
export const wrongCredentials: Text = {
  en: 'The credentials are not valid.',
  es: 'Las credenciales no son válidas: revise Guid, Usuario y Password.',
};
export const unknownOperation: Text = { en: 'The operation does not exist.', es: 'La operación no existe.' };
