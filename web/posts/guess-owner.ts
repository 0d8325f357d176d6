type Reading = { owner: RegExp; finder: RegExp };

/** `nimeki-`, `tuli-`, `nmei-`: who did it, when, to what. */
const I_HAVE = '(?:n[ia]?|tu)(?:me|li)(?:i|ki|vi|li|ya|zi|u|m|wa)?';
/** `ime-`, `kilicho-`, `ka-`: the same of a thing or of somebody else. */
const IT_HAS = '(?:(?:a|wa|u|i|li|ya|ki|vi|zi)(?:me|li)(?:ye|o|yo|lo|cho|vyo|zo)?|ka)';
const I_DID = "(?:i|we)(?:'ve| have)? (?:just )?";
const AN_OWNER = '(?:owner|mwenye|mwenyewe|mmiliki|mhusika)';
const I_SEEK = '(?:looking for|searching for|(?:ni)?na(?:i|ki|vi|li|ya|zi|u|m|wa)?tafuta)';
/** What is said of finding, but not that it has happened. */
const IN_PASSING = /\b(?:lost (?:and|&)|if|when|once|not|never|be) found\b/g;

/** What the writer did is surer than what became of the thing: "I found a lost dog". */
const READINGS: Reading[] = [
  {
    owner: anyOf(
      `${I_DID}(?:lost|misplaced|dropped|forgot|left)`,
      'lost my',
      `${I_HAVE}(?:poteza|potezea|potelewa|ibiwa|sahau|dondosha|angusha|acha)`,
      `${I_SEEK}\\b(?!.*\\b${AN_OWNER})`,
    ),
    finder: anyOf(
      `${I_DID}(?:found|picked up)`,
      '(?:who|did you|have you) (?:has )?(?:lost|lose)',
      `nani \\w*poteza`,
      `${I_HAVE}(?:okota|pata|kuta)`,
      `${I_SEEK}\\b.*\\b${AN_OWNER}`,
    ),
  },
  {
    owner: anyOf('lost', 'missing', 'stolen', 'misplaced', `${IT_HAS}(?:potea|potelea|poteza|ibiwa|ibwa|dondoka)`),
    finder: anyOf('found', 'picked up', `${IT_HAS}(?:okotwa|patikana|onekana)`),
  },
];

/**
 * Reads from a title whether its writer lost the thing ("Nimepoteza simu") or has it ("Found: keys"). Null where it
 * says neither, or both.
 */
export function guessIsOwner(title: string): boolean | null {
  const text = title.toLowerCase().replaceAll('’', "'").replaceAll(IN_PASSING, ' ');
  for (const { owner, finder } of READINGS) {
    const [isOwners, isFinders] = [owner.test(text), finder.test(text)];
    if (isOwners || isFinders) return isOwners === isFinders ? null : isOwners;
  }
  return null;
}

function anyOf(...phrases: string[]): RegExp {
  return new RegExp(`\\b(?:${phrases.join('|')})\\b`);
}
