import { afterEach, expect } from 'vitest';
import { takeFaults } from './checked-fetch.ts';

// A set-up file: a test during which the service answered something undocumented fails.
afterEach(() => expect(takeFaults(), 'answers that the OpenAPI document does not allow').toEqual([]));
