/** The guide with another table at the mark of this name, `<!-- bench start -->`. */
export function withTable(guide: string, name: string, table: string): string {
  const mark = `<!-- bench ${name} -->\n\n`;
  const at = guide.indexOf(mark);
  if (at === -1) throw new Error(`The guide has no place for the table ${name}.`);
  const [before, after] = [guide.slice(0, at + mark.length), guide.slice(at + mark.length)];
  return `${before}${table}\n\n${after.replace(/^(?:\|.*\n)*\n*/, '')}`;
}
