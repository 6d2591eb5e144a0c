import { isMet, type Report, type Row, shown } from './report.ts';

const WIDTH = 720;
const LABELS = 230;
const VALUES = 70;
const ROW = 24;
const BAR = 14;
const TOP = 34;

/**
 * A report as a picture (SVG): a bar for each row, and a line where its wanted value is. It follows the light or dark
 * scheme of the reader, and its text is text.
 */
export function barChart({ title, measure, rows }: Report): string {
  const most = Math.max(...rows.flatMap(({ now, wanted = 0 }) => [now, wanted]), Number.MIN_VALUE);
  const scale = (value: number) => round((value / most) * (WIDTH - LABELS - VALUES));
  const height = TOP + rows.length * ROW + 8;
  const caption = `${title}: ${measure}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(caption)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 }
.met { fill: #1a7f37 }
.missed { fill: #cf222e }
.other { fill: #8c959f }
.wanted { stroke: #24292f; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.met { fill: #3fb950 }
.missed { fill: #f85149 }
.other { fill: #6e7681 }
.wanted { stroke: #e6edf3 }
}
</style>
<text class="title" x="8" y="20">${escaped(caption)}</text>
${rows.map((row, index) => bar(row, TOP + index * ROW, scale)).join('\n')}
</svg>
`;
}

function bar(row: Row, y: number, scale: (value: number) => number): string {
  const { name, now, wanted } = row;
  const middle = y + BAR - 2;
  const met = isMet(row);
  const kind = met === undefined ? 'other' : met ? 'met' : 'missed';
  const end = LABELS + Math.max(scale(now), 1);
  const line = wanted === undefined ? '' : `<path class="wanted" d="M${LABELS + scale(wanted)} ${y - 2}v${BAR + 4}"/>`;
  return (
    `<text x="${LABELS - 8}" y="${middle}" text-anchor="end">${escaped(name)}</text>` +
    `<rect class="${kind}" x="${LABELS}" y="${y}" width="${round(end - LABELS)}" height="${BAR}" rx="2"/>` +
    line +
    `<text x="${round(Math.max(end, LABELS + scale(wanted ?? 0)) + 6)}" y="${middle}">${shown(now)}</text>`
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
