/**
 * Replaces the table at the mark of this name in a guide, such as `<!-- bench growth -->`. Returns null if the guide has
 * no such mark: it does not show the table.
 */
export function replaceTable(guide: string, name: string, table: string): string | null {
  const mark = `<!-- bench ${name} -->\n\n`;
  const at = guide.indexOf(mark);
  if (at === -1) return null;
  const [before, after] = [guide.slice(0, at + mark.length), guide.slice(at + mark.length)];
  return `${before}${table}\n\n${after.replace(/^(?:\|.*\n)*\n*/, '')}`;
}
