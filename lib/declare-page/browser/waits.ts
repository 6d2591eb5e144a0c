type ShowWait = (seconds: number) => void;

const listeners = new Set<ShowWait>();

/** Shows a wait of the client in every part of the page that is sending requests. */
export function reportWait(seconds: number): void {
  for (const showWait of listeners) showWait(seconds);
}

/** Sends requests, and shows each wait of the client until the last response. */
export async function showWaitsDuring<Value>(showWait: ShowWait, send: () => Promise<Value>): Promise<Value> {
  listeners.add(showWait);
  try {
    return await send();
  } finally {
    listeners.delete(showWait);
  }
}
