const JOIN_PATH = '/communities';

/** Where the web app takes somebody in with this code. */
export function joinPath(accessCode: string): string {
  return `${JOIN_PATH}?join=${encodeURIComponent(accessCode)}`;
}

/** What a person sends to another, and what the QR code holds, so that any phone's camera opens it. */
export function joinLink(origin: string, accessCode: string): string {
  return `${origin}${joinPath(accessCode)}`;
}

/** Whether the text holds a join link, with a code in it. */
export function hasJoinLink(text: string): boolean {
  return /[?&]join=./i.test(text);
}

/** The code of a join link, wherever in the text it stands; any other text as it is, without the space around it. */
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
