import type { Language } from '#contract/language.ts';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Config } from '#worker/env.ts';
import { deriveCode } from './code.ts';

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

/** @returns the message that a job stands for, or null where no template is set up for its kind. */
export function composeMessage(
  config: Config,
  job: WhatsappJob,
  to: string,
  language: Language,
): TemplateMessage | null {
  const { resetTemplate, decisionTemplate } = config.whatsapp;
  if (job.kind !== 'community_decision') {
    const code = [text(deriveCode(config.keys.code, job.requestId))];
    return template(to, language, resetTemplate, [
      { type: 'body', parameters: code },
      // The template's "copy code" button is sent as a url button, which is what Meta turns it into.
      { type: 'button', sub_type: 'url', index: '0', parameters: code },
    ]);
  }
  if (decisionTemplate === null) return null;
  const parameters = [text(job.communityName), text(OUTCOMES[language][job.outcome])];
  return template(to, language, decisionTemplate, [{ type: 'body', parameters }]);
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
