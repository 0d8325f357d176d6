import type { AppContext } from './app-env.ts';

/** Names the next page of a list, if there is one, in the `Link` header: the same request from `cursor` on. */
export function linkNextPage(c: AppContext, cursor: string | number | null): void {
  if (cursor === null) return;
  const next = new URL(c.req.url);
  next.searchParams.set('cursor', String(cursor));
  c.header('Link', `<${next.pathname}${next.search}>; rel="next"`);
}
