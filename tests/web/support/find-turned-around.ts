const ARABIC = /[\u0600-\u06ff]/;
/** As a sentence of ours has it around what somebody wrote (`isolate` of web/lib/i18n.ts). */
const ISOLATED = /\u2068[^\u2069]*\u2069/g;
const OWN_DIRECTION = 'bdi, [dir]';

/** @returns what is written from right to left and does not have its own direction where it stands. */
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
