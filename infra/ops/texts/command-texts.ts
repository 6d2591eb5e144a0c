import type { Text, Texts } from '../../../lib/domain/language.ts';
import { dateForms } from '../../../lib/domain/texts.ts';

export const commandTexts = {
  none: { en: 'none', es: 'ninguno' },

  // Options and targets
  notADate: (option: string, date: string) => ({
    en: `${option} must be ${dateForms.en}, not ${date}.`,
    es: `${option} debe ser ${dateForms.es}, no ${date}.`,
  }),
  target: (account: string, region: string, stack: string, stage: string, identity: string) => ({
    en: `Target: account ${account}, region ${region}, stack ${stack} (stage ${stage}), identity ${identity}.`,
    es: `Destino: cuenta ${account}, región ${region}, stack ${stack} (etapa ${stage}), identidad ${identity}.`,
  }),
  otherTables: (endpoint: string) => ({
    en: ` AWS_ENDPOINT_URL_DYNAMODB is set: the tables are at ${endpoint}.`,
    es: ` AWS_ENDPOINT_URL_DYNAMODB está definida: las tablas están en ${endpoint}.`,
  }),
  writeToStack: { en: 'Write to this stack?', es: '¿Escribir en este stack?' },
  nothingChanged: { en: 'Nothing was changed.', es: 'No se cambió nada.' },
  noTerminal: {
    en: 'Nothing was changed: confirmation needs a terminal. To confirm in a script, pass --yes.',
    es: 'No se cambió nada: la confirmación necesita una terminal. Para confirmar en un script, indique --yes.',
  },
  reversedRange: (last: string, first: string) => ({
    en: `${last} is before ${first}.`,
    es: `${last} es anterior a ${first}.`,
  }),
  unknownTenant: (tenant: string) => ({ en: `Tenant ${tenant} does not exist.`, es: `No existe el tenant ${tenant}.` }),
  unknownSupplier: (supplier: string, tenant: string) => ({
    en: `Supplier ${supplier} of ${tenant} does not exist.`,
    es: `No existe el prestador ${supplier} de ${tenant}.`,
  }),

  // Results and failures
  dryRun: { en: 'Dry run: nothing was written.', es: 'Simulación: no se escribió nada.' },
  interrupted: {
    en: 'Interrupted. To continue, run the command again.',
    es: 'Interrumpido. Para continuar, ejecute el comando de nuevo.',
  },
  incompleteEntry: (reason: string) => ({
    en: `The entry of this command in the operator record stays "started": ${reason}`,
    es: `La entrada de este comando en el registro de operaciones queda en "started": ${reason}`,
  }),
  incompleteOutput: (reason: Text) => ({
    en: `The output is incomplete: ${reason.en}`,
    es: `La salida está incompleta: ${reason.es}`,
  }),
  closedPipe: { en: 'EPIPE: the reader has closed the pipe', es: 'EPIPE: el programa que leía la salida la cerró' },

  // Files to read
  unknownExtension: {
    en: 'The extension of the file is not known. Pass --format ndjson, csv or xlsx.',
    es: 'No se reconoce la extensión del archivo. Indique --format ndjson, csv o xlsx.',
  },
  notAFile: { en: 'it is not a file', es: 'no es un archivo' },
  overwritesInput: (path: string) => ({
    en: `The rejected records would overwrite the input ${path}. Name another file with --rejects.`,
    es: `Los registros rechazados reemplazarían el archivo de entrada ${path}. Indique otro archivo con --rejects.`,
  }),
  cannotCopy: (folder: string, reason: Text) => ({
    en: `The input cannot be copied to ${folder}: ${reason.en}. Nothing was written.`,
    es: `No se puede copiar la entrada a ${folder}: ${reason.es}. No se escribió nada.`,
  }),
  unreadableLine: (line: number, reason: Text) => ({
    en: `Line ${line} ${reason.en}.`,
    es: `La línea ${line} ${reason.es}.`,
  }),
  longLine: (line: number, bytes: number) => ({
    en: `Line ${line} has more than ${bytes} bytes.`,
    es: `La línea ${line} tiene más de ${bytes} bytes.`,
  }),
  notNdjson: { en: 'The file must have one record in each line.', es: 'El archivo debe tener un registro por línea.' },
  requiredColumns: (columns: string) => ({
    en: `The required columns are ${columns}.`,
    es: `Las columnas obligatorias son ${columns}.`,
  }),
  orPass: (error: Text, option: string) => ({
    en: `${error.en}; or pass ${option}`,
    es: `${error.es}; o indique ${option}`,
  }),
} satisfies Texts;
