import type { Language } from '#contract/language.ts';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Config } from '#worker/env.ts';
import type { WaitingNotices } from '#worker/reach/index.ts';
import { deriveCode } from './code.ts';
import { isCodeJob } from './job.ts';

type Parameter = { type: 'text'; text: string };
type Component =
  | { type: 'body'; parameters: Parameter[] }
  | { type: 'button'; sub_type: 'url'; index: '0'; parameters: Parameter[] };

/** The body of a Cloud API call, as Meta documents it for template messages. */
export type TemplateMessage = {
  messaging_product: 'whatsapp';
  recipient_type: 'individual';
  /** With the plus: without it Meta would put our own country's code before it. */
  to: string;
  type: 'template';
  template: { name: string; language: { code: Language }; components: Component[] };
};

const OUTCOMES = {
  en: { approved: 'approved', rejected: 'rejected' },
  sw: { approved: 'imeidhinishwa', rejected: 'imekataliwa' },
} as const;

/** An answer to whoever has just written to us; anything else needs a template. */
export type TextMessage = {
  messaging_product: 'whatsapp';
  recipient_type: 'individual';
  to: string;
  type: 'text';
  text: { preview_url: false; body: string };
};

export type OutgoingMessage = TemplateMessage | TextMessage;

/** What the match template is given where there are several: it has one place to fill. */
const SEVERAL = { en: '{count} things that wait for you', sw: 'mambo {count} yanayokusubiri' } as const;

const ANSWERS = {
  stopped: {
    en: 'Patikana sends you no more WhatsApp messages about matches. To get them again, send START.',
    sw: 'Patikana haitakutumia tena ujumbe wa WhatsApp kuhusu matangazo yanayofanana. Ukitaka kuupata tena, tuma ANZA.',
  },
  started: {
    en: 'Patikana writes to you on WhatsApp when a post matches yours. To stop this, send STOP.',
    sw: 'Patikana itakuandikia kwa WhatsApp tangazo linapofanana na lako. Ukitaka iache, tuma ACHA.',
  },
} as const;

/**
 * @param about what waits, for a notice of a match.
 * @returns the message that a job stands for, or null where no template is set up for its kind.
 */
export function composeMessage(
  config: Config,
  job: WhatsappJob,
  { to, language, about }: { to: string; language: Language; about: WaitingNotices | null },
): OutgoingMessage | null {
  const { resetTemplate, decisionTemplate, matchTemplate } = config.whatsapp;
  if (isCodeJob(job)) {
    const code = [text(deriveCode(config.keys.code, job.requestId))];
    return template(to, language, resetTemplate, [
      { type: 'body', parameters: code },
      // The template's "copy code" button is sent as a url button, which is what Meta turns it into.
      { type: 'button', sub_type: 'url', index: '0', parameters: code },
    ]);
  }
  if (job.kind === 'match_notice') {
    if (matchTemplate === null || about === null) return null;
    return template(to, language, matchTemplate, [{ type: 'body', parameters: [text(wordWaiting(about, language))] }]);
  }
  if (job.kind === 'community_decision') {
    if (decisionTemplate === null) return null;
    const parameters = [text(job.communityName), text(OUTCOMES[language][job.outcome])];
    return template(to, language, decisionTemplate, [{ type: 'body', parameters }]);
  }
  const body = ANSWERS[job.kind][language];
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'text',
    text: { preview_url: false, body },
  };
}

/** Meta takes no line break, no tab and no run of spaces in a parameter. */
function wordWaiting({ title, waiting }: WaitingNotices, language: Language): string {
  return waiting > 1 ? SEVERAL[language].replace('{count}', String(waiting)) : title.replace(/\s+/g, ' ').trim();
}

function template(to: string, language: Language, name: string, components: Component[]): TemplateMessage {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: { name, language: { code: language }, components },
  };
}

function text(value: string): Parameter {
  return { type: 'text', text: value };
}
