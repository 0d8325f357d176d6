/** Where in a file of the web app's, as a stack names it without its origin. Apart, for a browser needs no schema to send it. */
export const CLIENT_ERROR_FRAME = /\/assets\/[\w.-]{1,80}:\d{1,7}:\d{1,7}/;
