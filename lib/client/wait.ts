import { untilAborted } from './until-aborted.ts';

/** Passes time, also parts of a second; throws the signal's reason as soon as it is aborted. */
export type Wait = (seconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits for real. */
export const wait: Wait = async (seconds, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  try {
    await untilAborted(elapsed, signal);
  } finally {
    clearTimeout(timer);
  }
};
