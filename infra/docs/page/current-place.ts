import { findAll } from './elements.ts';

/** How far from the upper edge a part may begin that counts as read. */
const upperEdge = 140;

let marked: HTMLAnchorElement | undefined;

/** Marks in the contents which part of the page is being read. */
export function markCurrentPlace(): void {
  const links = findAll<HTMLAnchorElement>('nav a');
  const mark = () => {
    const current = currentOf(links);
    if (current === marked) return;
    marked?.removeAttribute('aria-current');
    marked = current;
    current?.setAttribute('aria-current', 'location');
    current?.scrollIntoView({ block: 'nearest' });
  };
  addEventListener('scroll', mark, { passive: true });
  addEventListener('hashchange', mark);
  mark();
}

function currentOf(links: readonly HTMLAnchorElement[]): HTMLAnchorElement | undefined {
  const { scrollHeight } = document.documentElement;
  // The last parts cannot be moved up to the edge: there the address says which of them was chosen.
  const atEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2;
  const isVisible = (link: HTMLAnchorElement) => topOf(link) >= 0 && topOf(link) < innerHeight;
  if (atEnd) return links.find((link) => link.hash === location.hash && isVisible(link)) ?? links.at(-1);
  return links.findLast((link) => topOf(link) < upperEdge);
}

function topOf({ hash }: HTMLAnchorElement): number {
  return document.getElementById(decodeURIComponent(hash.slice(1)))?.getBoundingClientRect().top ?? Infinity;
}
