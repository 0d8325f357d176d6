import type { AppContext } from './app-env.ts';

/** Sets the `Link` header to the next page of a list, if there is one: the same request with another `cursor`. */
export function linkNextPage(c: AppContext, cursor: string | number | null): void {
  if (cursor === null) return;
  const next = new URL(c.req.url);
  next.searchParams.set('cursor', String(cursor));
  c.header('Link', `<${next.pathname}${next.search}>; rel="next"`);
}
