import type { Texts } from '../../../lib/domain/language.ts';
import { formatCount } from './language.ts';

export const exportTexts = {
  sameFile: (option: string, otherOption: string) => ({
    en: `${option} and ${otherOption} name the same file.`,
    es: `${option} y ${otherOption} indican el mismo archivo.`,
  }),
  isLocked: {
    en: 'Another command is running with this cursor file.',
    es: 'Otro comando está usando este archivo de cursor.',
  },
  sinceRequired: {
    en: 'There is no cursor. Correct --cursor-file or, to begin the first export, pass --since.',
    es: 'No hay cursor. Corrija --cursor-file o, para empezar la primera exportación, indique --since.',
  },
  exported: (rows: number, amount: string, time: string) => ({
    en: `${formatCount(rows, 'declaration', 'declarations')} of ${amount} in total, until ${time}`,
    es: `${formatCount(rows, 'declaración', 'declaraciones')} por ${amount} en total, hasta ${time}`,
  }),
  fileKept: (path: string) => ({
    en: `There is no new declaration: ${path} was not replaced.`,
    es: `No hay declaraciones nuevas: no se reemplazó ${path}.`,
  }),
  invalidCursor: {
    en: 'The cursor file is damaged, or not a cursor file. The file with the ending .previous contains the cursor before it.',
    es: 'El archivo de cursor está dañado, o no es un archivo de cursor. El archivo que termina en .previous contiene el cursor anterior.',
  },
  cursorOfOther: (owner: string, tenant: string) => ({
    en: `The cursor is of ${owner}, not of ${tenant}.`,
    es: `El cursor es de ${owner}, no de ${tenant}.`,
  }),
} satisfies Texts;
