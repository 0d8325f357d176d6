/** Copies from web/locales; a test compares them. */
export const texts = {
  results: 'Posts',
  kinds: { owner: 'Lost', finder: 'Found', returned: 'Found and returned' },
  owner: 'Owner',
  location: 'Location',
  nowAt: 'It is now at: {place}',
  posted: 'Posted',
  forOther: 'Posted for somebody else',
  logIn: 'Log in to view contact',
  claimFirst: 'The finder asks for proof that it is yours. Their number is shown only to the person they choose.',
  thisIsMine: 'This is mine',
  more: 'More: {title}',
};

export type CardTexts = typeof texts;
