/**
 * Whether a text is an address of http or https, as a link may have it: any other scheme might run a script of its
 * author.
 */
export function isWebAddress(text: string): boolean {
  // What a parser would pass over in silence is none.
  return /^https?:\/\/\P{Cc}+$/iu.test(text) && text.isWellFormed() && URL.canParse(text);
}
