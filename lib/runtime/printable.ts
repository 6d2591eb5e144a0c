/**
 * A text of which a terminal is told nothing: no line of it breaks, and no sign of it hides, turns or moves another.
 * Who wrote it may be anybody.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\p{Cf}/gu, '');
}

/** The same JSON, with such signs escaped within its texts; the spaces between its values stay. */
export function printableJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => sign.split('').map(escaped).join(''));
}
