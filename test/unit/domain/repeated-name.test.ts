import { expect, it } from 'vitest';
import { findRepeatedName } from '../../../lib/domain/repeated-name.ts';

it.each([
  ['{"a": {"x": 1}, "x": 2}', null],
  ['[{"x": 1}, {"x": 2}]', null],
  ['{"a": "x", "b": ["x", "x"]}', null],
  ['{"x": {"y": 1}, "x": 2}', 'x'],
  ['{"a": {"x": 1, "x": 2}}', 'x'],
  ['{"x": 1, "\\u0078": 2}', 'x'],
  ['{"x": "}", "x": 2}', 'x'],
])('the repeated name of %s is %s', (json, name) => {
  expect(findRepeatedName(json)).toBe(name);
});
