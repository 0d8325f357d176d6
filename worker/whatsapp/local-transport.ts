import { log } from '#worker/errors/log.ts';
import type { SendResult } from './cloud-api.ts';
import type { TemplateMessage } from './templates.ts';

/**
 * Stands in for WhatsApp on a developer's machine: prints the message in the terminal. It prints codes, which is what
 * it is for; no deployed Worker uses it (`WHATSAPP_TRANSPORT`).
 */
export function sendLocally({ to, template }: TemplateMessage): SendResult {
  const texts = template.components.filter(({ type }) => type === 'body').flatMap(({ parameters }) => parameters);
  log.info('whatsapp_printed', {
    to,
    template: template.name,
    language: template.language.code,
    texts: texts.map(({ text }) => text),
  });
  return { wamid: null };
}
