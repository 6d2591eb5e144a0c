/** True if a text is an address of http or https. A link with another scheme could run a script of its author. */
export function isWebAddress(text: string): boolean {
  // A URL parser would silently skip control characters.
  return /^https?:\/\/\P{Cc}+$/iu.test(text) && text.isWellFormed() && URL.canParse(text);
}
