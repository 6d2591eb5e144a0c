import { isMet, type Report, type Row, shown } from './report.ts';

const WIDTH = 720;
const LABELS = 290;
const VALUES = 70;
const ROW = 24;
const BAR = 14;
const TOP = 34;
// A bar that is longer than this many times what is wanted is cut off.
const LONGEST = 3;

/** A bar: how long it is, and where its line stands, in parts of the longest one. */
interface Bar {
  readonly row: Row;
  readonly length: number;
  readonly line?: number;
}

/**
 * A report as a picture (SVG): a bar for each row, and a line where its wanted value is. It follows the light or dark
 * scheme of the reader, and its text is text.
 */
export function barChart(report: Report): string {
  const { title, measure, mixed } = report;
  const rows = report.rows.filter(({ now }) => !Number.isNaN(now));
  const bars = mixed ? barsOfShares(rows) : barsOfValues(rows);
  const height = TOP + bars.length * ROW + 8;
  const caption = mixed ? `${title}: the line is what is wanted` : `${title}: ${measure}`;
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
${bars.map((bar, index) => draw(bar, TOP + index * ROW)).join('\n')}
</svg>
`;
}

/** Rows of one unit: all have one scale. */
function barsOfValues(rows: readonly Row[]): Bar[] {
  const most = Math.max(...rows.flatMap(({ now, wanted = 0 }) => [now, wanted]), Number.MIN_VALUE);
  return rows.map((row) => ({
    row,
    length: row.now / most,
    ...(row.wanted !== undefined && { line: row.wanted / most }),
  }));
}

/** Rows of several units: each is shown as a share of what is wanted of it. */
function barsOfShares(rows: readonly Row[]): Bar[] {
  return rows.flatMap((row) => {
    if (row.wanted === undefined) return [];
    return [{ row, length: Math.min(row.now / row.wanted / LONGEST, 1), line: 1 / LONGEST }];
  });
}

function draw({ row, length, line }: Bar, y: number): string {
  const middle = y + BAR - 2;
  const met = isMet(row);
  const kind = met === undefined ? 'other' : met ? 'met' : 'missed';
  const room = WIDTH - LABELS - VALUES;
  const end = LABELS + Math.max(length * room, 1);
  const mark = line === undefined ? undefined : LABELS + line * room;
  return [
    `<text x="${LABELS - 8}" y="${middle}" text-anchor="end">${escaped(row.name)}</text>`,
    `<rect class="${kind}" x="${LABELS}" y="${y}" width="${round(end - LABELS)}" height="${BAR}" rx="2"/>`,
    mark === undefined ? '' : `<path class="wanted" d="M${round(mark)} ${y - 2}v${BAR + 4}"/>`,
    `<text x="${round(Math.max(end, mark ?? 0) + 6)}" y="${middle}">${shown(row.now)}</text>`,
  ].join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
