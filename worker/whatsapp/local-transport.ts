import type { SendResult } from './cloud-api.ts';
import type { OutgoingMessage } from './templates.ts';

/**
 * Stands in for WhatsApp on a developer's machine: prints the message, including codes, to the terminal. No deployed
 * Worker uses it (`WHATSAPP_TRANSPORT`).
 */
export function sendLocally(message: OutgoingMessage): SendResult {
  // biome-ignore lint/suspicious/noConsole: the purpose is to show codes in the terminal, which the log must never contain
  console.log(JSON.stringify({ event: 'whatsapp_printed', to: message.to, ...summarise(message) }));
  return { wamid: null };
}

function summarise(message: OutgoingMessage): Record<string, string | string[]> {
  if (message.type === 'text') return { texts: [message.text.body] };
  const { name, language, components } = message.template;
  const parameters = components.filter(({ type }) => type === 'body').flatMap((component) => component.parameters);
  return { template: name, language: language.code, texts: parameters.map(({ text }) => text) };
}
