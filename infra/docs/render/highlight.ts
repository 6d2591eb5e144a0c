import { Html, escape } from './html.ts';

const tokens =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')(\s*:)?|(^|\s)((?:#|\/\/).*)$|(?<![\w.:/-])(\d+(?:\.\d+)?|true|false|null|True|False|None)(?![\w.:/-])/gm;

/** Code with its names, texts, numbers and comments marked for colours; JSON and the languages of the samples. */
export function highlight(code: string): Html {
  let text = '';
  let end = 0;
  for (const match of code.matchAll(tokens)) {
    const [whole, quoted, colon, space = '', comment, number] = match;
    text += escape(code.slice(end, match.index));
    if (quoted !== undefined) text += mark(colon === undefined ? 's' : 'k', quoted) + (colon ?? '');
    else if (comment !== undefined) text += space + mark('c', comment);
    else text += mark('n', number ?? '');
    end = match.index + whole.length;
  }
  return new Html(text + escape(code.slice(end)));
}

function mark(kind: string, text: string): string {
  return `<i class="${kind}">${escape(text)}</i>`;
}
