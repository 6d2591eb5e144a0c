/** The function that shows a wait of the client, in seconds. The part of the page that sends requests sets it. */
export const reportWait = { current: (_seconds: number): void => undefined };
