/**
 * The texts of our emails. `{title}` is a post's title, `{count}` a number; `untitled` is for a post that has been
 * erased.
 */
export const texts = {
  confirm: {
    subject: 'Confirm your email address',
    sentence: 'Open this link to confirm that this email address is yours:',
    ending:
      'It works once, for 24 hours. If you did not ask for it, do nothing: without the link nobody can use your address.',
  },
  match: {
    subject: 'A post on Patikana matches yours',
    sentence: 'A post on Patikana matches your post “{title}”. See it here:',
    untitled: 'A post on Patikana matches yours. See it here:',
  },
  claim: {
    subject: 'There is news about a claim on Patikana',
    sentence: 'There is news about the claim for “{title}”. See it here:',
    untitled: 'There is news about a claim of yours. See it here:',
  },
  several: {
    subject: '{count} notices wait for you on Patikana',
    sentence: '{count} notices wait for you, the latest one about “{title}”. See them here:',
    untitled: '{count} notices wait for you. See them here:',
  },
  unsubscribe: 'You get this email because email notices are switched on in your account. Stop these emails here:',
  unsubscribing: {
    title: 'Emails from Patikana',
    question: 'Do you want to stop the emails about matching posts and claims?',
    button: 'Stop these emails',
    done: 'Patikana no longer sends you emails about matching posts and claims. You can change this on your account page.',
    invalid: 'This link no longer works. You can stop the emails on your account page.',
    account: 'Your account',
  },
};

export type EmailTexts = typeof texts;
