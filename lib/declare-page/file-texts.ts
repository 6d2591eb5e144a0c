import type { Text, Texts } from '../domain/language.ts';

/** The errors in a file of invoices. */
export const fileTexts = {
  repeated: (line: number) => ({
    en: `is already in row ${line}: leave one of the rows out`,
    es: `ya está en la fila ${line}: omita una de las filas`,
  }),
  hiddenRow: {
    en: 'The row is hidden or filtered: show it in the file, or leave it out',
    es: 'La fila está oculta o filtrada: muéstrela en el archivo u omítala',
  },
  hiddenColumns: (headings: string) => ({
    en: `These columns are hidden: ${headings}. Show them in the file, or choose above the table that they are not used.`,
    es: `Estas columnas están ocultas: ${headings}. Muéstrelas en el archivo, o elija sobre la tabla que no se usan.`,
  }),
  required: { en: 'the value is missing', es: 'falta el valor' },
  digitsOnly: { en: 'must be digits only', es: 'debe tener solo dígitos' },
  tooLong: (maximum: number) => ({
    en: `must have at most ${maximum} characters`,
    es: `debe tener como máximo ${maximum} caracteres`,
  }),
  notADate: { en: 'is not a date from 2000 to 2100', es: 'no es una fecha de 2000 a 2100' },
  notAnAmount: { en: 'is not an amount', es: 'no es un importe' },
  notAPercentage: { en: 'is not a percentage', es: 'no es un porcentaje' },
  outOfRange: (maximum: number) => ({
    en: `must be from 0 to ${maximum}`,
    es: `debe estar entre 0 y ${String(maximum).replace('.', ',')}`,
  }),
  tooPrecise: (decimals: number) => ({
    en: `must have at most ${decimals} decimals, and 15 digits in all`,
    es: `debe tener como máximo ${decimals} decimales, y 15 dígitos en total`,
  }),
  orDayFirst: ({ en, es }: Text) => ({
    en: `${en}, or mark above that the dates have their day first`,
    es: `${es}, o marque arriba que las fechas tienen primero el día`,
  }),
} satisfies Texts;
