const JOIN_PATH = '/communities';

/** The web app's path for joining with this code. */
export function joinPath(accessCode: string): string {
  return `${JOIN_PATH}?join=${encodeURIComponent(accessCode)}`;
}

/** The link that people share, and that the QR code contains, so that any phone's camera opens it. */
export function joinLink(origin: string, accessCode: string): string {
  return `${origin}${joinPath(accessCode)}`;
}

/** Whether the text contains a join link with a code. */
export function hasJoinLink(text: string): boolean {
  return /[?&]join=./i.test(text);
}

/** The code of a join link anywhere in the text; without one, the trimmed text. */
export function readJoinCode(text: string): string {
  const linked = /[?&]join=([^&#\s]+)/i.exec(text)?.[1];
  return decodeLoosely(linked ?? text).trim();
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
