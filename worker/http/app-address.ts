/** What is never the web app: the build's files, and the pages and pictures that are the Worker's own. */
const NO_APP = /^\/(assets|p|photos)(\/|$)/;

/** Whether an address that no file and no route answers belongs to the web app, which then says itself what is there. */
export function isAppAddress(path: string): boolean {
  // A dot names a file, and a file that were there would have been answered before.
  return !NO_APP.test(path) && !path.includes('.');
}
