import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { PushService } from '#tests/support/push-service.ts';
import { ask, type Line, type Person } from './client.ts';

/** A push service on this machine, which survives the Worker. `heard` counts what browsers were shown. */
export async function startPushService() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const service = new PushService(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  const subscriptions: ReturnType<PushService['subscribe']>[] = [];
  server.on('request', async (request, response) => {
    const { origin } = new URL(subscriptions[0]?.endpoint ?? '');
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = new Uint8Array(await buffer(request));
    const asked = new Request(`${origin}${request.url}`, { method: 'POST', headers, body });
    const { status } = await service.answer(asked).catch(() => new Response(null, { status: 400 }));
    response.writeHead(status).end();
  });
  const seen = new Map<(typeof subscriptions)[number], number>();
  return {
    async subscribe({ origin }: Line, person: Person): Promise<void> {
      const subscription = service.subscribe();
      subscriptions.push(subscription);
      const { endpoint, keys } = subscription;
      const { status } = await ask(origin, 'PUT', '/push/subscriptions', { ...person, body: { endpoint, keys } });
      if (status !== 204) throw new Error(`subscribing answered ${status}`);
    },
    /** Returns the notices pushed since the last call. */
    takeHeard(): string[] {
      return subscriptions.flatMap((subscription) => {
        const before = seen.get(subscription) ?? 0;
        seen.set(subscription, subscription.heard.length);
        return subscription.heard.slice(before).map(({ message }) => String(message.id));
      });
    },
    stop: () => server.close(),
  };
}
