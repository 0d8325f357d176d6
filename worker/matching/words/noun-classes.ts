/**
 * How an agreeing adjective begins, and how the nouns begin that it may be said of. Who does not trouble about agreement
 * says nyeusi of anything, so that its class rules nothing out.
 */
const AGREEMENT: ReadonlyArray<readonly [adjective: RegExp, noun: RegExp]> = [
  [/^(?:ki|ch)/, /^(?:ki|ch)/],
  [/^(?:vi|vy)/, /^(?:vi|vy)/],
  [/^(?:mi|my)/, /^(?:mi|my)/],
  [/^(?:ma|me(?=[ukp]))/, /^(?:ma|me)/],
  [/^we/, /^(?!ki)/],
  [/^j/, /^(?!ki|vi|vy|mi|ma)/],
  [/^mw/, /^(?:m(?!a|i)|u|w|ng|n|p|k(?!i)|b|s|f|j)/],
];

/** "Begi la vitabu jeusi": it is the bag that is black, for books would be vyeusi. */
export function mayAgree(noun: string, adjective: string): boolean {
  return AGREEMENT.find(([opening]) => opening.test(adjective))?.[1].test(noun) ?? true;
}
