import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GraphApi, type GraphApiOptions } from './graph-api.ts';

export type GraphApiServer = {
  api: GraphApi;
  /** The value for `WHATSAPP_API_BASE`. */
  base: string;
  /** The Worker's variables that point to this server. */
  vars: Record<string, string>;
  close(): Promise<void>;
};

const DEFAULTS: GraphApiOptions = {
  phoneNumberId: '106540352242922',
  accessToken: 'a-token-of-the-stand-in',
  templates: { verification_code: { languages: ['en', 'sw'], parameters: 1, hasButton: true } },
};

/** Serves the stand-in for Meta's Graph API on a free port. */
export async function startGraphApi(overrides: Partial<GraphApiOptions> = {}): Promise<GraphApiServer> {
  const options = { ...DEFAULTS, ...overrides };
  const api = new GraphApi(options);
  const server = createServer((request, response) => void answer(api, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v25.0`;
  return {
    api,
    base,
    vars: {
      WHATSAPP_TRANSPORT: 'cloud-api',
      WHATSAPP_API_BASE: base,
      WHATSAPP_PHONE_NUMBER_ID: options.phoneNumberId,
      WHATSAPP_ACCESS_TOKEN: options.accessToken,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(api: GraphApi, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const hungUp = new AbortController();
  outgoing.on('close', () => hungUp.abort());
  try {
    const response = await api.answer(await toRequest(incoming, hungUp.signal));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  } catch {
    incoming.socket.destroy();
  }
}

async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const method = incoming.method ?? 'GET';
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method,
    headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal,
    ...(method !== 'GET' && { body: Buffer.concat(chunks) }),
  });
}
