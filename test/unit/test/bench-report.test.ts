import { describe, expect, it } from 'vitest';
import { barChart } from '../../bench/report/bar-chart.ts';
import { withTable } from '../../bench/report/guide.ts';
import { markdownOf } from '../../bench/report/markdown.ts';
import { isMet, type Report, shown } from '../../bench/report/report.ts';
import { guideText } from '../../support/guides/readme.ts';

const report: Report = {
  name: 'start',
  title: 'Start',
  columns: ['CPU ms'],
  measure: 'CPU / the floor',
  rows: [
    { name: 'list | all', cells: [99.44], now: 1.084, wanted: 1.08 },
    { name: 'detail <b>', cells: [''], now: 1.2, wanted: 1.08 },
    { name: 'a "peer" & more', cells: [2870], now: 2.4 },
  ],
};

/** The values of an attribute of all elements of a kind. */
function attributes(svg: string, element: string, name: string): string[] {
  return [...svg.matchAll(new RegExp(`<${element} [^>]*\\b${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
}

describe('a figure of the benchmarks', () => {
  it.each([
    [0.0025, '0.0025'],
    [1.084, '1.08'],
    [30.44, '30.4'],
    [75_060, '75,060'],
    [2_869.6, '2,870'],
    [2, '2'],
    [Number.NaN, '-'],
  ])('%d is shown as %s', (value, text) => {
    expect(shown(value)).toBe(text);
  });

  it('is met when what is shown of it is at most what is wanted', () => {
    expect(report.rows.map(isMet)).toEqual([true, false, undefined]);
    expect(isMet({ name: 'units', now: 17_001, wanted: 17_000 })).toBe(false);
    expect(isMet({ name: 'without peers', now: Number.NaN, wanted: 1 })).toBeUndefined();
  });
});

describe('a table of the benchmarks', () => {
  it('has columns of one width, numbers to the right, and says what is met', () => {
    expect(markdownOf(report).split('\n')).toEqual([
      '| Start           | CPU ms | CPU / the floor |  wanted | met |',
      '| --------------- | -----: | --------------: | ------: | --: |',
      String.raw`| list \| all     |   99.4 |            1.08 | <= 1.08 | yes |`,
      '| detail <b>      |        |            1.20 | <= 1.08 |  no |',
      '| a "peer" & more |  2,870 |            2.40 |         |     |',
    ]);
  });

  it('has no columns of what is wanted when nothing is', () => {
    const [header] = markdownOf({ ...report, columns: [], rows: [{ name: 'one', now: 1 }] }).split('\n');
    expect(header).toBe('| Start | CPU / the floor |');
  });
});

describe('the guide', () => {
  const guide = 'Text\n\n<!-- bench start -->\n\n| old | table |\n| --- | ----: |\n\n![a picture](start.svg)\n';

  it('gets a new table where its mark is, and keeps the rest', () => {
    expect(withTable(guide, 'start', '| new |\n| --- |')).toBe(
      'Text\n\n<!-- bench start -->\n\n| new |\n| --- |\n\n![a picture](start.svg)\n',
    );
  });

  it('gets a first table, too', () => {
    expect(withTable('<!-- bench start -->\n\n![a picture](start.svg)\n', 'start', '| new |')).toBe(
      '<!-- bench start -->\n\n| new |\n\n![a picture](start.svg)\n',
    );
  });

  it('must have a mark for each table', () => {
    expect(() => withTable(guide, 'lists', '| new |')).toThrow('The guide has no place for the table lists.');
  });

  it('has the mark and the picture of every table it shows', () => {
    const shownIn = guideText('test/README.md');
    const marks = [...shownIn.matchAll(/<!-- bench ([\w-]+) -->/g)].map(([, name = '']) => name);
    expect(marks.length).toBeGreaterThan(0);
    for (const name of marks) expect(shownIn).toContain(`](bench/pictures/${name}.svg)`);
  });
});

describe('a picture of the benchmarks', () => {
  it('keeps names from being read as markup', () => {
    const svg = barChart(report);
    expect(svg).toContain('>detail &lt;b&gt;</text>');
    expect(svg).toContain('>a &quot;peer&quot; &amp; more</text>');
    expect(svg).not.toContain('<b>');
  });

  it('draws bars in proportion, a line where something is wanted, and all of it within its width', () => {
    const svg = barChart(report);
    const [first = 0, , longest = 0] = attributes(svg, 'rect', 'width').map(Number);
    expect(first / longest).toBeCloseTo(1.084 / 2.4, 2);
    expect(attributes(svg, 'path', 'class')).toEqual(['wanted', 'wanted']);
    expect(attributes(svg, 'rect', 'class')).toEqual(['met', 'missed', 'other']);
    expect(Math.max(...attributes(svg, 'text', 'x').map(Number))).toBeLessThan(720);
  });

  it('shows figures of several units as shares of what is wanted, and cuts off what is far from it', () => {
    const rows = [
      { name: 'units', now: 1_000_000, wanted: 17_000 },
      { name: 'ms', now: 10, wanted: 20 },
      { name: 'seconds', now: 88 },
    ];
    const svg = barChart({ ...report, rows, mixed: true });
    const [cutOff = 0, half = 0, ...others] = attributes(svg, 'rect', 'width').map(Number);
    expect(half / cutOff).toBeCloseTo(0.5 / 3, 2);
    expect(others).toEqual([]);
    expect(new Set(attributes(svg, 'path', 'd').map((path) => path.split(' ')[0])).size).toBe(1);
  });
});
