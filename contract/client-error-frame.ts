/**
 * A stack frame in a file of the web app, without the origin. In a file of its own, as the browser needs no schema to
 * send it.
 */
export const CLIENT_ERROR_FRAME = /\/assets\/[\w.-]{1,80}:\d{1,7}:\d{1,7}/;
