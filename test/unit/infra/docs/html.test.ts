import { describe, expect, it } from 'vitest';
import { Html, html } from '../../../../infra/docs/render/html.ts';
import { inlineMarkdown, markdown } from '../../../../infra/docs/render/markdown.ts';

const evil = `<img src=x onerror="alert('1')">&`;
const harmless = '&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;';

describe('html', () => {
  it('escapes every value, alone, in lists and in attributes', () => {
    expect(html`<p title="${evil}">${evil}${[evil, [evil]]}</p>`.text).toBe(
      `<p title="${harmless}">${harmless}${harmless}${harmless}</p>`,
    );
  });

  it('leaves nothing for what is false or missing, zero for zero, and takes HTML as it is', () => {
    expect(html`${false}${null}${undefined}${0}`.text).toBe('0');
    expect(html`${new Html('<b>')}${html`<i></i>`}`.text).toBe('<b><i></i>');
  });
});

describe('markdown', () => {
  it('shows raw HTML as text', () => {
    expect(inlineMarkdown('a <b>bold</b> word').text).toBe('a &#60;b&#62;bold&#60;/b&#62; word');
    expect(markdown('<script>alert(1)</script>').text).not.toContain('<script');
  });

  it('follows links to the page and to the web, and no others', () => {
    expect(inlineMarkdown('[a](https://a.example) [b](javascript:alert(1)) [c](#limits)').text).toBe(
      '<a href="https://a.example">a</a> b <a href="#guide-limits">c</a>',
    );
  });

  it('gives headings of the guide a level, an address and a place in the search, and error codes an address', () => {
    const heading = '<h3 id="guide-fechas-e-importes" data-find="Fechas e importes">Fechas e importes</h3>';
    expect(markdown('### Fechas e importes').text).toContain(heading);
    expect(markdown('- **`NOT_FOUND`** (404)\n  - Cause: x').text).toContain('<li id="error-NOT_FOUND"');
  });
});
