import type { Text, Texts } from '../../domain/language.ts';

/** The texts of the errors of files that a user can resolve, by their codes. */
export const systemErrors: Readonly<Record<string, Text>> = {
  ENOENT: { en: 'ENOENT: there is no such file or folder', es: 'ENOENT: no existe' },
  EISDIR: { en: 'EISDIR: it is a folder', es: 'EISDIR: es una carpeta' },
  EACCES: { en: 'EACCES: permission denied', es: 'EACCES: permiso denegado' },
  EPERM: { en: 'EPERM: permission denied', es: 'EPERM: permiso denegado' },
  EBUSY: {
    en: 'EBUSY: it is open in another program; close it',
    es: 'EBUSY: está abierto en otro programa; ciérrelo',
  },
  ENOSPC: { en: 'ENOSPC: the disk is full', es: 'ENOSPC: el disco está lleno' },
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

/** Explains a file system error; for a code without a text of its own, with the message of Node. */
export function describeFileError(error: unknown): Text {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return systemErrors[code] ?? { en: message, es: message };
}
