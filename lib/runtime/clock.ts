/** The clock of the process. Tests replace the class Date. */
export const systemClock = { now: () => new Date() };
