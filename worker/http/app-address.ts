/** Never the web app: the build's files, and the Worker's own pages and pictures. */
const NO_APP = /^\/(assets|p|photos)(\/|$)/;

/** Whether an address without a file or a route belongs to the web app, whose router decides what to show. */
export function isAppAddress(path: string): boolean {
  // A dot means a file, and existing files have been served before.
  return !NO_APP.test(path) && !path.includes('.');
}
