import type { SendResult } from './cloud-api.ts';
import type { OutgoingMessage } from './templates.ts';

/**
 * Stands in for WhatsApp on a developer's machine: prints the message in the terminal. It prints codes, which is what
 * it is for; no deployed Worker uses it (`WHATSAPP_TRANSPORT`).
 */
export function sendLocally(message: OutgoingMessage): SendResult {
  // biome-ignore lint/suspicious/noConsole: a terminal, where the log's rule that no line holds a code cannot stand
  console.log(JSON.stringify({ event: 'whatsapp_printed', to: message.to, ...summarise(message) }));
  return { wamid: null };
}

function summarise(message: OutgoingMessage): Record<string, string | string[]> {
  if (message.type === 'text') return { texts: [message.text.body] };
  const { name, language, components } = message.template;
  const parameters = components.filter(({ type }) => type === 'body').flatMap((component) => component.parameters);
  return { template: name, language: language.code, texts: parameters.map(({ text }) => text) };
}
