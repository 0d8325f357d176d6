import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import { composeReport } from '#tests/support/graph-api.ts';
import { app } from '#worker/app.ts';
import { ORIGIN } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';

const APP_SECRET = 'the-app-secret-of-the-stand-in';
const VERIFY_TOKEN = 'the-verify-token';
const PATH = '/api/whatsapp/webhook';

afterEach(() => vi.unstubAllGlobals());

async function ask(
  path: string,
  init: RequestInit = {},
  vars: Record<string, string | undefined> = {},
): Promise<Response> {
  const ctx = createExecutionContext();
  const bindings = { ...env, WHATSAPP_APP_SECRET: APP_SECRET, WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN, ...vars };
  const answer = await app.fetch(new Request(`${ORIGIN}${path}`, init), bindings, ctx);
  await waitOnExecutionContext(ctx);
  return answer;
}

function report(body: string, signature: string): Promise<Response> {
  return ask(PATH, { method: 'POST', headers: { 'X-Hub-Signature-256': signature }, body });
}

async function reportStatuses(...statuses: Parameters<typeof composeReport>[1]): Promise<void> {
  const { body, signature } = composeReport(APP_SECRET, statuses);
  const answer = await report(body, signature);
  expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
}

function sign(body: string): string {
  return `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;
}

function readDelivery(wamid: string) {
  return env.DB.prepare('select status, error_code from whatsapp_deliveries where wamid = ?').bind(wamid).first();
}

function newWamid(): string {
  return `wamid.${crypto.randomUUID()}`;
}

test('the challenge is answered to who knows the verify token, and to nobody else', async () => {
  const query = (token: string, mode = 'subscribe') =>
    `${PATH}?hub.mode=${mode}&hub.challenge=1158201444&hub.verify_token=${token}`;
  const answer = await ask(query(VERIFY_TOKEN));
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('1158201444');
  const without = await ask(`${PATH}?hub.mode=subscribe&hub.verify_token=${VERIFY_TOKEN}`);
  expect([without.status, await without.text()]).toEqual([200, '']);
  expect((await ask(query('another'))).status).toBe(403);
  expect((await ask(query(''))).status).toBe(403);
  expect((await ask(query(VERIFY_TOKEN, 'unsubscribe'))).status).toBe(403);
  expect((await ask(PATH)).status).toBe(403);
});

test.each<[string, Record<string, string | undefined>]>([
  ['without its secrets', { WHATSAPP_APP_SECRET: undefined, WHATSAPP_VERIFY_TOKEN: undefined }],
  ['with secrets that are left empty', { WHATSAPP_APP_SECRET: '', WHATSAPP_VERIFY_TOKEN: '' }],
])('%s there is no webhook', async (_what, vars) => {
  const { body, signature } = composeReport('', []);
  const headers = { 'X-Hub-Signature-256': signature };
  expect((await ask(`${PATH}?hub.mode=subscribe&hub.verify_token=`, {}, vars)).status).toBe(404);
  expect((await ask(PATH, { method: 'POST', headers, body }, vars)).status).toBe(404);
});

test('a report that is not signed, or signed over other bytes, is refused and not recorded', async () => {
  const wamid = newWamid();
  const { body, signature } = composeReport(APP_SECRET, [{ id: wamid, status: 'sent' }]);
  const other = composeReport('another-secret', [{ id: wamid, status: 'sent' }]);
  const rewritten = JSON.stringify(JSON.parse(body));
  expect(rewritten).not.toBe(body);
  for (const [sent, header] of [
    [body, ''],
    [body, 'sha256=00'],
    [body, other.signature],
    [body, signature.replace('sha256', 'sha1')],
    [rewritten, signature],
  ] as const) {
    const answer = await report(sent, header);
    expect(answer.status).toBe(403);
    expect((await answer.json<ErrorBody>()).code).toBe('forbidden');
  }
  expect(await readDelivery(wamid)).toBeNull();
});

test('reports move a message forward, whatever their order and however often they come', async () => {
  const wamid = newWamid();
  await reportStatuses({ id: wamid, status: 'delivered' });
  for (const status of ['sent', 'delivered', 'sent', 'failed']) await reportStatuses({ id: wamid, status });
  expect(await readDelivery(wamid)).toEqual({ status: 'delivered', error_code: null });
  await reportStatuses({ id: wamid, status: 'read' });
  expect(await readDelivery(wamid)).toEqual({ status: 'read', error_code: null });
});

test('a failure is recorded with its code, and one that stops us raises an alarm', async () => {
  const logs = captureLogs();
  const [unreachable, unpaid] = [newWamid(), newWamid()];
  await reportStatuses(
    { id: unreachable, status: 'failed', errors: [{ code: 131026 }] },
    { id: unpaid, status: 'failed', errors: [{ code: 131042 }] },
  );
  expect(await readDelivery(unreachable)).toEqual({ status: 'failed', error_code: 131026 });
  const line = { event: 'whatsapp_not_delivered', request_id: expect.any(String) };
  expect(logs.warn).toHaveBeenCalledWith({ ...line, error_code: 131026 });
  expect(logs.error).toHaveBeenCalledWith({ ...line, error_code: 131042 });
});

test('reports that arrive together are all kept', async () => {
  const wamids = Array.from({ length: 400 }, newWamid);
  const { body, signature } = composeReport(
    APP_SECRET,
    wamids.map((id) => ({ id, status: 'sent' })),
  );
  // More than any other body may have.
  expect(body.length).toBeGreaterThan(16 * 1024);
  expect((await report(body, signature)).status).toBe(200);
  const { results } = await env.DB.prepare(
    'select wamid from whatsapp_deliveries where wamid in (select value from json_each(?))',
  )
    .bind(JSON.stringify(wamids))
    .all();
  expect(results).toHaveLength(400);
});

test('a payload about something else is answered, so that it is not sent again', async () => {
  const body = JSON.stringify({
    entry: [{ changes: [{ field: 'messages', value: { messages: [{ from: '255' }] } }] }],
  });
  expect((await report(body, sign(body))).status).toBe(200);
});

test('what is signed but no JSON is refused', async () => {
  const answer = await report('sio JSON', sign('sio JSON'));
  expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([400, 'malformed_json']);
});

test('a payload has three megabytes at most', async () => {
  const most = ' '.repeat(3 * 1024 * 1024);
  expect((await report(most, '')).status).toBe(403);
  expect((await report(`${most} `, '')).status).toBe(413);
});
