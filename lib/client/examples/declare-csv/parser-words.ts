/** The headings of the parser's help, in Spanish. */
const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opciones:',
};

/** What stands for a value, in Spanish; the other names are the same. */
const VALUES: Readonly<Record<string, string>> = {
  '<file>': '<archivo>',
  '<field=column>': '<campo=columna>',
  '<column>': '<columna>',
  '<language>': '<idioma>',
};

/** What the parser says of a wrong command line, in Spanish. */
const ERRORS: readonly (readonly [english: RegExp, spanish: string])[] = [
  [/missing required argument 'file'/, "falta el argumento '<archivo>'"],
  [/option '(.*)' argument missing/, "falta el valor de la opción '$1'"],
  [/required option '(.*)' not specified/, "falta la opción '$1'"],
  [/unknown option '(.*)'/, "no se conoce la opción '$1'"],
  [/\(Did you mean one of (.*)\?\)/, '(¿Quiso decir una de estas: $1?)'],
  [/\(Did you mean (.*)\?\)/, '(¿Quiso decir $1?)'],
  [/too many arguments\. Expected 1 argument but got \d+: (.*)\./s, 'demasiados argumentos; se espera un archivo: $1.'],
  [/option '(.*)' argument '(.*)' is invalid\./s, "el valor '$2' de la opción '$1' no es válido."],
];

/** A heading of the help in Spanish. */
export function spanishTitle(title: string): string {
  return TITLES[title] ?? title;
}

/** An option or argument of the help in Spanish, with the name of its value. */
export function spanishTerm(term: string): string {
  return term.replace(/<[^>]+>/, (value) => VALUES[value] ?? value);
}

/** An error of the parser in Spanish; what is not known stays as it is. */
export function spanishError(message: string): string {
  return spanishTerm(ERRORS.reduce((text, [english, spanish]) => text.replace(english, spanish), message));
}
