import type { Text, Texts } from '../../domain/language.ts';

/** The Spanish texts of the errors of files that a user can resolve, by their codes. */
const SPANISH_MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'ENOENT: no existe',
  EISDIR: 'EISDIR: es una carpeta',
  EACCES: 'EACCES: permiso denegado',
  EPERM: 'EPERM: permiso denegado',
  EBUSY: 'EBUSY: está abierto en otro programa; ciérrelo',
  ENOSPC: 'ENOSPC: el disco está lleno',
};

/** The texts about a file that cannot be used. */
export const fileErrors = {
  cannotRead: (path: string, reason: Text) => ({
    en: `The file ${path} cannot be read: ${reason.en}`,
    es: `No se puede leer el archivo ${path}: ${reason.es}`,
  }),
  cannotWrite: (path: string, reason: Text) => ({
    en: `The file ${path} cannot be written: ${reason.en}`,
    es: `No se puede escribir el archivo ${path}: ${reason.es}`,
  }),
} satisfies Texts;

/** Describes a file system error. In English, and for a code without a Spanish text, this is the message of Node. */
export function describeFileError(error: unknown): Text {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return { en: message, es: SPANISH_MESSAGES[code] ?? message };
}
