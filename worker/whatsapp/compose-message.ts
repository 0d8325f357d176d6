import type { WhatsappJob } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import en from '#locales/en/outside/whatsapp.json' with { type: 'json' };
import sw from '#locales/sw/outside/whatsapp.json' with { type: 'json' };
import type { Config } from '#worker/env.ts';
import { deriveCode } from '#worker/identity/codes.ts';
import type { WaitingNotices } from '#worker/notices/read-notices.ts';
import { isCodeJob } from './queue-message.ts';

type Parameter = { type: 'text'; text: string };
type Component =
  | { type: 'body'; parameters: Parameter[] }
  | { type: 'button'; sub_type: 'url'; index: '0'; parameters: Parameter[] };

/** The body of a Cloud API call for a template message, as documented by Meta. */
export type TemplateMessage = {
  messaging_product: 'whatsapp';
  recipient_type: 'individual';
  /**
   * The phone number with its plus sign. Without the plus sign, Meta would put our own country code before the number.
   */
  to: string;
  type: 'template';
  template: { name: string; language: { code: Language }; components: Component[] };
};

/**
 * A text message, which Meta allows only as an answer to a person who has just written to us. All other messages need a
 * template.
 */
type TextMessage = {
  messaging_product: 'whatsapp';
  recipient_type: 'individual';
  to: string;
  type: 'text';
  text: { preview_url: false; body: string };
};

export type OutgoingMessage = TemplateMessage | TextMessage;

const TEXTS = { en, sw } satisfies Record<Language, unknown>;

/**
 * Composes the message of a job.
 * @param about the waiting notices, for a job about notices.
 * @returns null if no template is set up for this kind of job.
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
      // Meta stores the "copy code" button of the template as a URL button, so the message must use the type `url`.
      { type: 'button', sub_type: 'url', index: '0', parameters: code },
    ]);
  }
  if (job.kind === 'match_notice') {
    if (matchTemplate === null || about === null) return null;
    return template(to, language, matchTemplate, [{ type: 'body', parameters: [text(wordWaiting(about, language))] }]);
  }
  if (job.kind === 'community_decision') {
    if (decisionTemplate === null) return null;
    const parameters = [text(job.communityName), text(TEXTS[language].outcomes[job.outcome])];
    return template(to, language, decisionTemplate, [{ type: 'body', parameters }]);
  }
  const body = TEXTS[language][job.kind];
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'text',
    text: { preview_url: false, body },
  };
}

/**
 * Returns the only parameter of the template for notices. Meta refuses parameters with line breaks, tabs or several
 * spaces in a row.
 */
function wordWaiting({ title, waiting }: WaitingNotices, language: Language): string {
  return waiting > 1 ? TEXTS[language].several.replace('{count}', String(waiting)) : title.replace(/\s+/g, ' ').trim();
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
