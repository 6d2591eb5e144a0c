import type { Texts } from '../../../lib/domain/language.ts';
import { count } from './language.ts';

/** The texts of export-declarations and find-request. */
export const exportTexts = {
  sameFile: (option: string, otherOption: string) => ({
    en: `${option} and ${otherOption} name the same file.`,
    es: `${option} y ${otherOption} indican el mismo archivo.`,
  }),
  isLocked: {
    en: 'Another command is running with this cursor file.',
    es: 'Otro comando está usando este archivo de cursor.',
  },
  fromStart: (time: string) => ({
    en: `There is no cursor: the export begins at the first declaration (after ${time}).`,
    es: `No hay cursor: la exportación empieza en la primera declaración (después de ${time}).`,
  }),
  confirmStart: (path: string) => ({
    en: `The cursor file ${path} does not exist. Export all declarations from the first one on?`,
    es: `El archivo de cursor ${path} no existe. ¿Exportar todas las declaraciones desde la primera?`,
  }),
  needsStart: (path: string) => ({
    en: `The cursor file ${path} does not exist. Correct the path or, to begin at the first declaration, pass --from-start.`,
    es: `El archivo de cursor ${path} no existe. Corrija la ruta o, para empezar en la primera declaración, indique --from-start.`,
  }),
  exported: (rows: number, amount: string, time: string) => ({
    en: `${count(rows, 'declaration', 'declarations')} of ${amount} in total, until ${time}`,
    es: `${count(rows, 'declaración', 'declaraciones')} por ${amount} en total, hasta ${time}`,
  }),
  fileKept: (path: string) => ({
    en: `There is no new declaration: ${path} was not replaced.`,
    es: `No hay declaraciones nuevas: no se reemplazó ${path}.`,
  }),
  verifyNeedsCursor: {
    en: '--verify needs --cursor-file with the cursor of an earlier export.',
    es: '--verify necesita --cursor-file con el cursor de una exportación anterior.',
  },
  verifiedDays: (days: number, differing: number) => ({
    en: `${count(days, 'day', 'days')} compared, ${differing} differ.`,
    es: `${count(days, 'día comparado', 'días comparados')}, ${differing} con diferencias.`,
  }),
  differingDays: {
    en: 'More stored: export again since that day. Fewer stored: erased, or tables were restored.',
    es: 'Más guardadas: exporte de nuevo desde ese día. Menos guardadas: se borraron, o se restauraron tablas.',
  },
  invalidCursor: {
    en: 'The cursor file is damaged, or not a cursor file. The file with the ending .previous contains the cursor before it.',
    es: 'El archivo de cursor está dañado, o no es un archivo de cursor. El archivo que termina en .previous contiene el cursor anterior.',
  },
  cursorOfOther: (owner: string, tenant: string) => ({
    en: `The cursor is of ${owner}, not of ${tenant}.`,
    es: `El cursor es de ${owner}, no de ${tenant}.`,
  }),
} satisfies Texts;
