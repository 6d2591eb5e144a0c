/** A cell as JSON would say it, or as it was written, and what is wrong with that. */
export interface Cell {
  readonly text: string;
  readonly fault?: string;
}
