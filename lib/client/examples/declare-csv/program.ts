import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type Language, LANGUAGES } from '../../../domain/language.ts';
import { isConfidential } from '../../index.ts';
import { spanishError, spanishTerm, spanishTitle } from './parser-words.ts';
import { type Column, columnNames, type HeadingChoice, requiredColumns } from './read-invoices.ts';
import { helpTexts as texts } from './texts/help.ts';

const LOCAL = 'http://127.0.0.1:3000';

/** The command line of the script, in a language. */
export function programIn(language: Language) {
  const invalid = (text: Readonly<Record<Language, string>>) => new InvalidArgumentError(text[language]);
  const webAddress = (text: string) => {
    if (!isConfidential(text)) throw invalid(texts.noAddress);
    return text;
  };
  const mapping = (text: string, earlier: HeadingChoice['map'] = []): HeadingChoice['map'] => {
    const [, name, heading] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const column = columnNames.find((known) => known === name?.trim());
    if (!column || !heading) throw invalid(texts.noMapping(columnNames.join(', ')));
    return [...earlier, [column, heading] satisfies [Column, string]];
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
      styleTitle: spanishTitle,
      argumentTerm: () => 'archivo',
      optionTerm: ({ flags }) => spanishTerm(flags),
    })
    .configureOutput({ outputError: (text, write) => write(spanishError(text)) });
}

/** What the command line says. */
export type Options = ReturnType<ReturnType<typeof programIn>['opts']>;

/** The address of the service, where the command line names none. */
export const urlOf = ({ url = LOCAL }: Options): string => url;
