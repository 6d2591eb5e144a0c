import { Marked, Renderer, type Tokens } from 'marked';
import { Html, escape } from './html.ts';

/** Markdown as HTML: raw HTML in it is shown as text, and links lead to the guide of this page or to the web. */
export function markdown(source: string): Html {
  return new Html(parser.parse(source, { async: false }));
}

/** One line of Markdown, without a paragraph around it. */
export function inlineMarkdown(source: string): Html {
  return new Html(parser.parseInline(source, { async: false }));
}

/** The id of a heading of the guide: the part of its address that GitHub makes of it, behind `guide-`. */
export function guideId(title: string): string {
  const words = title.toLowerCase().replace(/[^\p{Letter}\p{Number}\s-]/gu, '');
  return `guide-${words.trim().replace(/\s+/g, '-')}`;
}

const parser = new Marked({
  renderer: {
    html: ({ text }) => escape(text),
    code: ({ text }) => `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`,
    heading({ tokens, depth, text }: Tokens.Heading) {
      const content = this.parser.parseInline(tokens);
      return `<h${depth} id="${escape(guideId(text))}" data-find="${escape(text)}">${content}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      if (href.startsWith('#')) return `<a href="#guide-${escape(href.slice(1))}">${text}</a>`;
      return /^https?:/.test(href) ? `<a href="${escape(href)}">${text}</a>` : text;
    },
    image: ({ text }) => escape(text),
    listitem(item: Tokens.ListItem) {
      const code = /^\*\*`([A-Z_]+)`\*\*/.exec(item.text)?.[1];
      const name = code === undefined ? '' : ` id="error-${code}" class="error-code" data-find`;
      return `<li${name}>${this.parser.parse(item.tokens)}</li>\n`;
    },
    table(token: Tokens.Table) {
      return `<div class="scroll" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
    },
  },
});
