import type { Text, Texts } from '../../../domain/language.ts';

const inSpanish = (number: number) => String(number).replace('.', ',');

/** What is said of a file of invoices: why it cannot be read, and what is wrong with it. */
export const fileTexts = {
  cannotRead: (file: string, reason: Text) => ({
    en: `The file ${file} cannot be read: ${reason.en}`,
    es: `No se puede leer el archivo ${file}: ${reason.es}`,
  }),
  repeated: (line: number) => ({ en: `is on line ${line} already`, es: `ya está en la línea ${line}` }),
  required: { en: 'is required', es: 'es obligatorio' },
  digitsOnly: { en: 'must be digits only', es: 'debe tener solo dígitos' },
  tooLong: (maximum: number) => ({
    en: `must have at most ${maximum} characters`,
    es: `debe tener como máximo ${maximum} caracteres`,
  }),
  noDate: {
    en: 'must be a date like 2026-08-28 (ISO 8601), or 28/8/2026',
    es: 'debe ser una fecha como 2026-08-28 (ISO 8601), o 28/8/2026',
  },
  noNumber: (maximum: number) => ({
    en: `must be a number from 0 to ${maximum}: digits, with at most one decimal mark and nothing else`,
    es: `debe ser un número de 0 a ${inSpanish(maximum)}: dígitos, con un signo decimal como máximo y nada más`,
  }),
  tooMuch: (maximum: number) => ({
    en: `must be at most ${maximum}`,
    es: `debe ser como máximo ${inSpanish(maximum)}`,
  }),
  tooPrecise: (decimals: number) => ({
    en: `must have at most ${decimals} decimals, and 15 digits in all`,
    es: `debe tener como máximo ${decimals} decimales, y 15 dígitos en total`,
  }),
  line: (line: number, column: string | undefined, fault: Text) => ({
    en: `line ${line}${column ? `, ${column}` : ''}: ${fault.en}`,
    es: `línea ${line}${column ? `, ${column}` : ''}: ${fault.es}`,
  }),
  faults: (file: string, count: number) => ({
    en: `Nothing was sent: ${file} has ${count === 1 ? 'a fault' : `${count} faults`}.`,
    es: `No se envió nada: ${file} tiene ${count === 1 ? 'un error' : `${count} errores`}.`,
  }),
} satisfies Texts;
