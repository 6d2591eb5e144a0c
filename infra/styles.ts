import { styleText } from 'node:util';
import type { OutputStream } from './terminal.ts';

type Format = Parameters<typeof styleText>[0];
type Variables = Readonly<Record<string, string | undefined>>;

/** Gives a text a style, or leaves it as it is. */
export type Style = (format: Format, text: string) => string;

/** Whether a stream is a terminal that shows colours; NO_COLOR switches them off. */
export function showsColours(stream: Pick<OutputStream, 'isTTY'>, variables: Variables): boolean {
  return stream.isTTY === true && !variables['NO_COLOR'] && variables['TERM'] !== 'dumb';
}

/** The styles of what goes to a stream: none unless it shows colours. */
export function styleOf(stream: Pick<OutputStream, 'isTTY'>, variables: Variables): Style {
  if (!showsColours(stream, variables)) return (_, text) => text;
  return (format, text) => styleText(format, text, { validateStream: false });
}
