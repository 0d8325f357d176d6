import type { SendResult } from './cloud-api.ts';
import type { TemplateMessage } from './templates.ts';

/**
 * Stands in for WhatsApp on a developer's machine: prints the message in the terminal. It prints codes, which is what
 * it is for; no deployed Worker uses it (`WHATSAPP_TRANSPORT`).
 */
export function sendLocally({ to, template }: TemplateMessage): SendResult {
  const texts = template.components.filter(({ type }) => type === 'body').flatMap(({ parameters }) => parameters);
  console.log(
    `WhatsApp to ${to} (${template.name}, ${template.language.code}): ${texts.map(({ text }) => text).join(', ')}`,
  );
  return { wamid: null };
}
