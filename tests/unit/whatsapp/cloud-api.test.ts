import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GraphApiServer, startGraphApi } from '#tests/support/graph-api-server.ts';
import { sendByCloudApi } from '#worker/whatsapp/cloud-api.ts';
import type { TemplateMessage } from '#worker/whatsapp/compose-message.ts';
import {
  judgeFailure,
  LEAST_USEFUL_SECONDS,
  leastDelaySeconds,
  MAX_ATTEMPTS,
  MAX_NOTICE_ATTEMPTS,
  PAUSE_SECONDS,
  pauseDelaySeconds,
  retryDelaySeconds,
  type Verdict,
} from '#worker/whatsapp/failures.ts';
import { readReports } from '#worker/whatsapp/webhook.ts';

describe('sending by the Cloud API', () => {
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

  test('a verification code sent by WhatsApp is in the message’s text and button, and the recipient’s number starts with a plus', async () => {
    expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ wamid: expect.stringMatching(/^wamid\./) });
    expect(graph.api.accepted.at(-1)).toEqual({
      to: '+255712345678',
      template: 'verification_code',
      language: 'sw',
      body: ['012345'],
      button: '012345',
    });
  });

  test('if Meta refuses a message, the result contains the code and the HTTP status of Meta’s error, but not its text', async () => {
    graph.api.failNext({ code: 131026, httpStatus: 400 });
    expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ failure: { code: 131026, httpStatus: 400 } });
  });

  test('a response of Meta that contains an error counts as a failure, even if its status is 2xx', async () => {
    graph.api.failNext({ code: 131000, httpStatus: 200 });
    expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ failure: { code: 131000, httpStatus: 200 } });
  });

  test('an HTML page from a gateway in place of Meta’s response counts as a failure without an error code', async () => {
    graph.api.failNext({ html: 502 });
    expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ failure: { code: null, httpStatus: 502 } });
  });

  test('a connection to Meta that breaks counts as a failure without an error code', async () => {
    graph.api.failNext('drop');
    expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ failure: { code: null, httpStatus: null } });
  });

  test('a request to Meta that gets no response fails at the timeout', async () => {
    graph.api.failNext('hang');
    expect(await sendByCloudApi(config(), message(), 300)).toEqual({ failure: { code: null, httpStatus: null } });
  });

  test('if Meta’s success response contains no message id, the message still counts as sent', async () => {
    graph.api.failNext('no_id');
    expect(await sendByCloudApi(config(), message(), 5_000)).toEqual({ wamid: null });
  });

  test('a redirect from Meta counts as a failure, and is not followed', async () => {
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

  test('the stand-in for Meta in our tests refuses the same requests as Meta', async () => {
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
});

const TABLE: Record<Verdict, number[]> = {
  retry: [1, 2, 4, 80007, 130429, 131000, 131016, 131056, 131057, 133004],
  other_language: [132001],
  give_up: [100, 130472, 131008, 131009, 131021, 131026, 131047, 131049, 132000, 132005, 132007, 132012],
  stop: [0, 3, 10, 190, 200, 250, 299, 368, 131005, 131031, 131042, 131048, 132015, 132016, 133010],
};

for (const [verdict, codes] of Object.entries(TABLE)) {
  test(`the Worker’s reaction to the WhatsApp error codes ${codes.join(', ')} is “${verdict}”`, () => {
    expect(codes.map((code) => judgeFailure({ code, httpStatus: null }))).toEqual(codes.map(() => verdict));
  });
}

test('the Worker’s reaction to a failed WhatsApp message, such as a retry, depends on the error code and not on the HTTP status', () => {
  for (const httpStatus of [200, 400, 401, 403, 404, 429, 500, 503]) {
    expect(judgeFailure({ code: 131026, httpStatus })).toBe('give_up');
    expect(judgeFailure({ code: 130429, httpStatus })).toBe('retry');
    expect(judgeFailure({ code: 190, httpStatus })).toBe('stop');
  }
});

test('a WhatsApp message that fails without an error code, or with an unknown one, is retried', () => {
  expect(judgeFailure({ code: null, httpStatus: null })).toBe('retry');
  expect(judgeFailure({ code: null, httpStatus: 502 })).toBe('retry');
  expect(judgeFailure({ code: 999999, httpStatus: 400 })).toBe('retry');
  expect(judgeFailure({ code: 199, httpStatus: 400 })).toBe('retry');
  expect(judgeFailure({ code: 300, httpStatus: 400 })).toBe('retry');
});

test('a message that Meta refuses because its recipient gets too many messages is retried after six seconds or more', () => {
  expect(leastDelaySeconds({ code: 131056, httpStatus: 400 })).toBe(6);
  expect(leastDelaySeconds({ code: 130429, httpStatus: 400 })).toBe(1);
});

const request = { attempt: 1, remainingSeconds: 300, leastSeconds: 1, random: 1 };

test('the pauses between retries of a WhatsApp message double from two seconds up to a minute', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => retryDelaySeconds({ ...request, attempt }));
  expect(delays).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
});

test('the pause before a retry of a WhatsApp message is randomly shortened, by up to a half', () => {
  expect(retryDelaySeconds({ ...request, attempt: 5, random: 0 })).toBe(16);
  expect(retryDelaySeconds({ ...request, attempt: 5, random: 0.5 })).toBe(24);
});

test('a WhatsApp message with a verification code is retried sooner than usual if the code expires soon', () => {
  expect(retryDelaySeconds({ ...request, attempt: 6, remainingSeconds: 50 })).toBe(50 - LEAST_USEFUL_SECONDS);
});

test('a verification code is not sent again if too little of its lifetime is left', () => {
  expect(retryDelaySeconds({ ...request, remainingSeconds: LEAST_USEFUL_SECONDS + 0.9 })).toBeNull();
  expect(retryDelaySeconds({ ...request, remainingSeconds: -5 })).toBeNull();
  expect(retryDelaySeconds({ ...request, leastSeconds: 6, remainingSeconds: LEAST_USEFUL_SECONDS + 5 })).toBeNull();
});

test('the Worker stops trying to send a verification code before the queue reaches its own limit of retries', () => {
  expect(retryDelaySeconds({ ...request, attempt: MAX_ATTEMPTS - 1 })).not.toBeNull();
  expect(retryDelaySeconds({ ...request, attempt: MAX_ATTEMPTS })).toBeNull();
  const maxRetries = Number(/max_retries = (\d+)/.exec(readFileSync('wrangler.toml', 'utf8'))?.[1]);
  expect(MAX_ATTEMPTS).toBeLessThan(maxRetries + 1);
});

test('a WhatsApp notice is retried for more than twenty minutes, with no more retries than its queue allows', () => {
  const notice = { remainingSeconds: 86_400, leastSeconds: 1, random: 0, maxAttempts: MAX_NOTICE_ATTEMPTS };
  const delays = Array.from({ length: MAX_NOTICE_ATTEMPTS - 1 }, (_, index) =>
    retryDelaySeconds({ ...notice, attempt: index + 1 }),
  );
  expect(delays).not.toContain(null);
  expect(delays.reduce((sum: number, delay) => sum + (delay ?? 0), 0)).toBeGreaterThan(20 * 60);
  expect(retryDelaySeconds({ ...notice, attempt: MAX_NOTICE_ATTEMPTS })).toBeNull();
  const [, queue = ''] = readFileSync('wrangler.toml', 'utf8').split('queue = "patikana-notice-whatsapp"\nmax_batch');
  expect(MAX_NOTICE_ATTEMPTS).toBeLessThan(Number(/max_retries = (\d+)/.exec(queue)?.[1]) + 1);
});

test('all retries of a verification code happen within the five minutes in which the code is valid', () => {
  let elapsed = 0;
  for (let attempt = 1; ; attempt++) {
    const delay = retryDelaySeconds({ attempt, remainingSeconds: 300 - elapsed, leastSeconds: 1, random: 1 });
    if (delay === null) break;
    elapsed += delay;
  }
  expect(elapsed).toBeLessThanOrEqual(300 - LEAST_USEFUL_SECONDS);
});

test('a retry of a WhatsApp message waits at least for the minimum time that the kind of failure requires', () => {
  expect(retryDelaySeconds({ ...request, leastSeconds: 6 })).toBe(6);
});

test('a verification code is sent again only if at least twenty seconds remain in which to read and type it', () => {
  expect(retryDelaySeconds({ ...request, remainingSeconds: 21 })).toBe(1);
  expect(retryDelaySeconds({ ...request, remainingSeconds: 20 })).toBeNull();
});

test('a verification code delayed by a pause in WhatsApp sending is sent within 5 seconds after the pause, unless it expires too soon', () => {
  expect(pauseDelaySeconds(PAUSE_SECONDS, { attempt: 1, remainingSeconds: 300, random: 0 })).toBe(PAUSE_SECONDS);
  expect(pauseDelaySeconds(PAUSE_SECONDS, { attempt: 1, remainingSeconds: 300, random: 1 })).toBe(PAUSE_SECONDS + 5);
  expect(pauseDelaySeconds(60, { attempt: MAX_ATTEMPTS - 1, remainingSeconds: 80, random: 0 })).toBe(60);
  expect(pauseDelaySeconds(PAUSE_SECONDS, { attempt: 1, remainingSeconds: 79, random: 0 })).toBeNull();
  expect(pauseDelaySeconds(PAUSE_SECONDS, { attempt: MAX_ATTEMPTS, remainingSeconds: 300, random: 0 })).toBeNull();
});

function payload(statuses: unknown[]): unknown {
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value: { statuses } }] }],
  };
}

test('of several WhatsApp status reports on one message, only the one with the most advanced status is used', () => {
  const reports = readReports(
    payload([
      { id: 'wamid.1', status: 'delivered' },
      { id: 'wamid.1', status: 'sent' },
      { id: 'wamid.2', status: 'failed', errors: [{ code: 131026, title: 'Message undeliverable' }] },
      { id: 'wamid.3', status: 'sent', errors: [] },
      { id: 'wamid.4', status: 'read' },
    ]),
  );
  expect(reports).toEqual([
    { wamid: 'wamid.1', status: 'delivered', rank: 2, errorCode: null },
    { wamid: 'wamid.2', status: 'failed', rank: 1, errorCode: 131026 },
    { wamid: 'wamid.3', status: 'sent', rank: 0, errorCode: null },
    { wamid: 'wamid.4', status: 'read', rank: 3, errorCode: null },
  ]);
});

test('a webhook payload that is not a status report is ignored', () => {
  expect(readReports(payload([{ id: 'wamid.1', status: 'warning' }, 'x', null, { status: 'sent' }]))).toEqual([]);
  expect(readReports({ entry: [{ changes: [{ value: { messages: [{ from: '255' }] } }] }] })).toEqual([]);
  expect(readReports(payload(['', 'x'.repeat(257)].map((id) => ({ id, status: 'sent' }))))).toEqual([]);
  expect(readReports(payload([{ id: 'x'.repeat(256), status: 'sent' }]))).toHaveLength(1);
  expect(readReports(null)).toEqual([]);
  expect(readReports({ entry: 'x' })).toEqual([]);
});
