import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type Language, LANGUAGES, type Text } from '../../../domain/language.ts';
import { isConfidential } from '../../index.ts';
import { type Column, columnNames, requiredColumns } from './read-invoices.ts';
import { helpTexts as texts } from './help-texts.ts';

const LOCAL = 'http://127.0.0.1:3000';

/** What the parser says in English only, in Spanish: in its help, and of a wrong command line. */
const SPANISH: readonly (readonly [english: RegExp | string, spanish: string])[] = [
  ['Usage:', 'Uso:'],
  ['Arguments:', 'Argumentos:'],
  ['Options:', 'Opciones:'],
  [/missing required argument 'file'/, "falta el argumento '<archivo>'"],
  [/option '(.*)' argument missing/, "falta el valor de la opción '$1'"],
  [/required option '(.*)' not specified/, "falta la opción '$1'"],
  [/unknown option '(.*)'/, "no se conoce la opción '$1'"],
  [/\(Did you mean one of (.*)\?\)/, '(¿Quiso decir una de estas: $1?)'],
  [/\(Did you mean (.*)\?\)/, '(¿Quiso decir $1?)'],
  [/too many arguments\. Expected 1 argument but got \d+: (.*)\./s, 'demasiados argumentos; se espera un archivo: $1.'],
  [/option '(.*)' argument '(.*)' is invalid\./s, "el valor '$2' de la opción '$1' no es válido."],
  ['<file>', '<archivo>'],
  ['<field=column>', '<campo=columna>'],
  ['<column>', '<columna>'],
  ['<language>', '<idioma>'],
];

const inSpanish = (text: string) => SPANISH.reduce((said, [english, spanish]) => said.replace(english, spanish), text);

/** A reason, in one line of each language, why the script cannot run at all. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly text: Text;

  constructor(text: Text) {
    super(text.en);
    this.text = text;
  }
}

/**
 * The language of `--lang`, else that of the system (or of `LC_ALL`, `LC_MESSAGES` or `LANG`). It is looked up before
 * anything is parsed, because what the parser says is in that language too.
 */
export function languageOf(args: readonly string[], locale = Intl.DateTimeFormat().resolvedOptions().locale): Language {
  const index = args.findLastIndex((arg) => /^--lang(?:=|$)/.test(arg));
  const named = index === -1 ? undefined : (args[index]?.split('=')[1] ?? args[index + 1]);
  return /^es(?![a-z])/i.test(named ?? locale) ? 'es' : 'en';
}

/** The command line of the script, in a language. */
export function programIn(language: Language) {
  const invalid = (text: Text) => new InvalidArgumentError(text[language]);
  const webAddress = (text: string) => {
    if (!isConfidential(text)) throw invalid(texts.noAddress);
    return text;
  };
  const mapping = (text: string, earlier: readonly [Column, string][] = []): readonly [Column, string][] => {
    const [, name, heading] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const column = columnNames.find((known) => known === name?.trim());
    if (!column || !heading) throw invalid(texts.noMapping(columnNames.join(', ')));
    return [...earlier, [column, heading]];
  };
  const heading = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];
  const known = (text: string): Language => {
    const found = LANGUAGES.find((one) => one === text);
    if (!found) throw invalid(texts.noLanguage);
    return found;
  };

  const program = new Command('npm run declare-csv --')
    .description(texts.description[language])
    .argument('<file>', texts.file(columnNames.join(', '), requiredColumns.join(', '))[language])
    .option('--url <url>', texts.url(LOCAL)[language], webAddress)
    .requiredOption('--tenant <tenant>', texts.tenant[language])
    .requiredOption('--email <email>', texts.email[language])
    .option('--check', texts.check[language])
    .option('--hold-review', texts.holdReview[language])
    .option('--report <file>', texts.report[language])
    .option('--map <field=column>', texts.map[language], mapping)
    .option('--ignore <column>', texts.ignore[language], heading)
    .option('--lang <language>', texts.lang[language], known)
    .helpOption('-h, --help', texts.help[language])
    .addHelpText('after', texts.notes[language])
    .showHelpAfterError(texts.showHelp[language])
    .exitOverride();
  if (language === 'en') return program;
  return program
    .usage('[opciones] <archivo>')
    .configureHelp({
      styleTitle: inSpanish,
      argumentTerm: () => 'archivo',
      optionTerm: ({ flags }) => inSpanish(flags),
    })
    .configureOutput({ outputError: (text, write) => write(inSpanish(text)) });
}

/** What the command line says. */
export type Options = ReturnType<ReturnType<typeof programIn>['opts']>;

/** The address of the service, where the command line names none. */
export const urlOf = ({ url = LOCAL }: Options): string => url;
