import { Marked, type Tokens } from 'marked';
import { Html, escape } from './html.ts';

/** Which heading of the page a heading of the first level of Markdown becomes, and what stands before its id. */
interface Headings {
  readonly lowest: number;
  readonly prefix: string;
}

/** Markdown as HTML: raw HTML in it is shown as text, and links lead to this page or to the web. */
export function markdown(source: string, headings: Headings = { lowest: 1, prefix: '' }): Html {
  return new Html(parser(headings).parse(source, { async: false }));
}

/** One line of Markdown, without a paragraph around it. */
export function inlineMarkdown(source: string): Html {
  return new Html(parser({ lowest: 1, prefix: '' }).parseInline(source, { async: false }));
}

/** The part of an address that names a heading, as GitHub makes it. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

function parser({ lowest, prefix }: Headings): Marked {
  return new Marked({
    renderer: {
      html: ({ text }) => escape(text),
      code: ({ text }) => `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`,
      heading({ tokens, depth, text }: Tokens.Heading) {
        const level = Math.min(6, depth - lowest + 3);
        const id = prefix + slug(text);
        return `<h${level} id="${escape(id)}" data-find="${escape(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        if (href.startsWith('#')) return `<a href="#${escape(prefix + href.slice(1))}">${text}</a>`;
        return /^https?:/.test(href) ? `<a href="${escape(href)}">${text}</a>` : text;
      },
      image: ({ text }) => escape(text),
      listitem(item: Tokens.ListItem) {
        const code = /^\*\*`([A-Z_]+)`\*\*/.exec(item.text)?.[1];
        const name = code === undefined ? '' : ` id="error-${code}" class="error-code" data-find`;
        return `<li${name}>${this.parser.parse(item.tokens)}</li>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const content = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const row = (cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map((cell) => `<td>${content(cell)}</td>`).join('')}</tr>`;
        const headings = header.map((cell) => `<th scope="col">${content(cell)}</th>`).join('');
        const table = `<table><thead><tr>${headings}</tr></thead><tbody>${rows.map(row).join('\n')}</tbody></table>`;
        return `<div class="scroll" tabindex="0">${table}</div>\n`;
      },
    },
  });
}
