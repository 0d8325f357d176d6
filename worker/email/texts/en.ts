/**
 * The texts of our e-mails. `{title}` is a post's title, `{count}` a number; `untitled` is for a post that has been
 * erased.
 */
export const texts = {
  confirm: {
    subject: 'Confirm your e-mail address',
    sentence: 'Open this link to show Patikana that this e-mail address is yours:',
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
  unsubscribe: 'You get this because Patikana may write to you by e-mail. Stop these e-mails here:',
  unsubscribing: {
    title: 'E-mails from Patikana',
    question: 'Shall Patikana stop writing to you by e-mail when a post matches yours or a claim has news?',
    button: 'Stop these e-mails',
    done: 'Patikana writes to you about matches and claims by e-mail no more. You can change this on your account’s page.',
    invalid: 'This link does not work any more. Your account’s page has the same setting.',
    account: 'Your account',
  },
};

export type EmailTexts = typeof texts;
