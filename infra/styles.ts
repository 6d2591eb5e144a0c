import { styleText } from 'node:util';
import type { OutputStream } from './terminal.ts';

type Format = Parameters<typeof styleText>[0];
type Variables = Readonly<Record<string, string | undefined>>;

/** A function that styles a text, or returns it unchanged. */
export type Style = (format: Format, text: string) => string;

/** True if a stream is a terminal that shows colours; NO_COLOR switches them off. */
export function showsColours(stream: Pick<OutputStream, 'isTTY'>, variables: Variables): boolean {
  return stream.isTTY === true && !variables['NO_COLOR'] && variables['TERM'] !== 'dumb';
}

/** Returns the style function for a stream, which changes nothing unless the stream shows colours. */
export function styleOf(stream: Pick<OutputStream, 'isTTY'>, variables: Variables): Style {
  if (!showsColours(stream, variables)) return (_, text) => text;
  return (format, text) => styleText(format, text, { validateStream: false });
}
