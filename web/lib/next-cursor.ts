/** The cursor of the next page as a list's `Link` header names it, or null on the last page. */
export function readNextCursor(headers: Headers): string | null {
  const target = /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(headers.get('Link') ?? '')?.[1];
  return target ? new URL(target, window.location.origin).searchParams.get('cursor') : null;
}
