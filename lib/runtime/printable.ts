/**
 * Returns a text that cannot change the display of a terminal: a blank replaces each line break and control character,
 * and invisible characters such as direction marks are removed.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\p{Cf}/gu, '');
}

/** Escapes the characters in the texts of a JSON document that could change the display of a terminal. */
export function printableJson(json: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.split('').map(escape).join(''),
  );
}
