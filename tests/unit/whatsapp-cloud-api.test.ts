import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GraphApiServer, startGraphApi } from '#tests/support/graph-api-server.ts';
import { sendByCloudApi } from '#worker/whatsapp/cloud-api.ts';
import type { TemplateMessage } from '#worker/whatsapp/templates.ts';

let graph: GraphApiServer;

beforeAll(async () => {
  graph = await startGraphApi();
});
afterAll(() => graph.close());

function config(overrides: Partial<Parameters<typeof sendByCloudApi>[0]> = {}) {
  return {
    transport: 'cloud-api' as const,
    apiBase: graph.base,
    phoneNumberId: graph.vars.WHATSAPP_PHONE_NUMBER_ID ?? null,
    accessToken: graph.vars.WHATSAPP_ACCESS_TOKEN ?? null,
    appSecret: null,
    verifyToken: null,
    displayNumber: null,
    resetTemplate: 'verification_code',
    decisionTemplate: null,
    matchTemplate: null,
    dailyRecipients: 250,
    ...overrides,
  };
}

function message(language: 'en' | 'sw' = 'sw', to = '+255712345678', code = '012345'): TemplateMessage {
  const parameters = [{ type: 'text' as const, text: code }];
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: {
      name: 'verification_code',
      language: { code: language },
      components: [
        { type: 'body', parameters },
        { type: 'button', sub_type: 'url', index: '0', parameters },
      ],
    },
  };
}

test('a message is accepted, with the code twice and the number with its plus', async () => {
  expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ wamid: expect.stringMatching(/^wamid\./) });
  expect(graph.api.accepted.at(-1)).toEqual({
    to: '+255712345678',
    template: 'verification_code',
    language: 'sw',
    body: ['012345'],
    button: '012345',
  });
});

test('a failure gives the error’s code, and nothing of its text', async () => {
  graph.api.failNext({ code: 131026, httpStatus: 400 });
  expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ failure: { code: 131026, httpStatus: 400 } });
});

test('an error with a 2xx status is an error', async () => {
  graph.api.failNext({ code: 131000, httpStatus: 200 });
  expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ failure: { code: 131000, httpStatus: 200 } });
});

test('a gateway page is a failure without a code', async () => {
  graph.api.failNext({ html: 502 });
  expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ failure: { code: null, httpStatus: 502 } });
});

test('a connection that breaks is a failure without a code', async () => {
  graph.api.failNext('drop');
  expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ failure: { code: null, httpStatus: null } });
});

test('an answer that never comes is given up after the time allowed', async () => {
  graph.api.failNext('hang');
  expect(await sendByCloudApi(config(), message(), 300)).toEqual({ failure: { code: null, httpStatus: null } });
});

test('an acceptance without an id is an acceptance', async () => {
  graph.api.failNext('no_id');
  expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ wamid: null });
});

test('a redirect is a failure, and is not followed', async () => {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    response.writeHead(307, { Location: '/elsewhere' }).end('{"messages":[{"id":"wamid.1"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const result = await sendByCloudApi(config({ apiBase, phoneNumberId: '1' }), message(), 5_000);
  server.close();
  expect(result).toEqual({ failure: { code: null, httpStatus: 307 } });
  expect(paths).toEqual(['/1/messages']);
});

test('the stand-in refuses what Meta would', async () => {
  const codeOf = async (result: ReturnType<typeof sendByCloudApi>) => {
    const answer = await result;
    return 'failure' in answer ? answer.failure.code : null;
  };
  expect(await codeOf(sendByCloudApi(config({ accessToken: 'another' }), message(), 5_000))).toBe(190);
  expect(await codeOf(sendByCloudApi(config({ phoneNumberId: '1' }), message(), 5_000))).toBe(100);
  expect(await codeOf(sendByCloudApi(config(), message('sw', '255712345678'), 5_000))).toBe(131009);
  expect(await codeOf(sendByCloudApi(config(), message('sw', '+255712345678', '0123456789012345'), 5_000))).toBe(
    132012,
  );
  const other = message();
  other.template.name = 'other';
  expect(await codeOf(sendByCloudApi(config(), other, 5_000))).toBe(132001);
  const withoutButton = message();
  withoutButton.template.components.pop();
  expect(await codeOf(sendByCloudApi(config(), withoutButton, 5_000))).toBe(132000);
});
