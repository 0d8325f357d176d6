const ARABIC = /[\u0600-\u06ff]/;
/** As one of our sentences contains a user's words (`isolate` of web/lib/i18n.ts). */
const ISOLATED = /\u2068[^\u2069]*\u2069/g;
const OWN_DIRECTION = 'bdi, [dir]';

/** @returns the right-to-left texts without a direction of their own. */
export function findTurnedAround(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode as Text;
    const around = parentElement?.closest(OWN_DIRECTION);
    if (ARABIC.test(data.replace(ISOLATED, '')) && !around?.matches('bdi, [dir=auto]')) found.push(data);
  }
  return found;
}
