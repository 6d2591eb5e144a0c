/** Text that is HTML already; everything else is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; what is false or missing leaves nothing. */
export type Content = string | number | Html | false | null | undefined | readonly Content[];

/** HTML of a template whose values are escaped; the indentation of the template itself is left out. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const raw = strings.map((text) => text.replace(/\s*\n\s*/g, '\n'));
  return new Html(String.raw({ raw }, ...values.map(escape)));
}

/** A text that is safe between tags and in quoted attributes. */
export function escape(content: Content): string {
  if (content instanceof Html) return content.text;
  if (typeof content === 'object' && content !== null) return content.map(escape).join('');
  if (content === false || content === null || content === undefined) return '';
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
