import { app } from '#worker/app.ts';

/** Every GET route of the API, with something real where its address wants an id. */
export function readRoutes(postId: string): string[] {
  const paths = app.routes
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/api'))
    .map(({ path }) => path);
  return [...new Set(paths)].map((path) => path.replace(/:\w+(\{[^}]*\})?/g, postId));
}
