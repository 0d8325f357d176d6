import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { uploadTelling } from '#web/lib/upload.ts';

/** A request as the browser has it, of which the test says how it goes. */
class Line {
  static last: Line;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  opened: string[] = [];
  headers: Record<string, string> = {};
  sent: unknown;
  status = 0;
  responseText = '';
  responseHeaders = '';
  isAborted = false;

  constructor() {
    Line.last = this;
  }
  open(...opened: string[]) {
    this.opened = opened;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: unknown) {
    this.sent = body;
  }
  getAllResponseHeaders = () => this.responseHeaders;
  abort() {
    this.isAborted = true;
    this.onabort?.();
    this.onloadend?.();
  }
  answer(status: number, headers: string, text: string) {
    Object.assign(this, { status, responseHeaders: headers, responseText: text });
    this.onload?.();
    this.onloadend?.();
  }
}

const PICTURE = new Blob(['a picture'], { type: 'image/jpeg' });
const BROKEN = new TypeError('The upload broke off');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('XMLHttpRequest', Line);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function upload(request: RequestInit = {}) {
  const shares: number[] = [];
  const answer = uploadTelling((share) => shares.push(share))('/api/photos', { body: PICTURE, ...request });
  return { answer, shares, line: Line.last };
}

test('a file is sent with its headers, and answered as any request is', async () => {
  const answer = uploadTelling(() => undefined)('/api/photos', {
    method: 'PUT',
    headers: { 'Content-Type': 'image/jpeg', 'Idempotency-Key': 'a-key' },
    body: PICTURE,
  });
  const line = Line.last;
  expect([line.opened, line.sent]).toEqual([['PUT', '/api/photos'], PICTURE]);
  expect(line.headers).toEqual({ 'content-type': 'image/jpeg', 'idempotency-key': 'a-key' });
  line.answer(
    429,
    'Content-Type: application/json\r\nRetry-After:  60 \r\nDate: Mon, 23 Nov 2026 01:02:03 GMT\r\n',
    '{}',
  );
  const response = await answer;
  expect([response.status, await response.json()]).toEqual([429, {}]);
  expect(response.headers.get('Retry-After')).toBe('60');
  expect(response.headers.get('Date')).toBe('Mon, 23 Nov 2026 01:02:03 GMT');
  expect(response.headers.get('Content-Type')).toBe('application/json');
});

test('an answer may be empty, and without a header', async () => {
  const answer = uploadTelling(() => undefined)('/api/photos', { body: PICTURE });
  expect(Line.last.opened[0]).toBe('POST');
  Line.last.answer(204, '', '');
  const response = await answer;
  expect([response.status, response.body, [...response.headers]]).toEqual([204, null, []]);
});

test('how much of the file is out is told, as far as it is known', async () => {
  const { answer, shares, line } = upload();
  line.upload.onprogress?.({ loaded: 1, total: 4 });
  line.upload.onprogress?.({ loaded: 4, total: 4 });
  line.upload.onprogress?.({ loaded: 4, total: 0 });
  expect(shares).toEqual([0.25, 1, 0]);
  line.onerror?.();
  await expect(answer).rejects.toThrow(BROKEN);
});

test('what does not move for 45 seconds has broken off, and what moves slowly has not', async () => {
  const { answer, line } = upload();
  for (let part = 1; part <= 5; part++) {
    vi.advanceTimersByTime(44_999);
    line.upload.onprogress?.({ loaded: part, total: 10 });
  }
  vi.advanceTimersByTime(44_999);
  expect(line.isAborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(line.isAborted).toBe(true);
  await expect(answer).rejects.toThrow(BROKEN);
});

test('a line on which nothing moves from the start has broken off too', async () => {
  const { answer, line } = upload();
  vi.advanceTimersByTime(45_000);
  expect(line.isAborted).toBe(true);
  await expect(answer).rejects.toThrow(BROKEN);
});

test('once it is answered nothing is waited for', async () => {
  const { answer, line } = upload();
  line.answer(201, 'X: y', '{}');
  await answer;
  expect(vi.getTimerCount()).toBe(0);
});

test('whoever takes it back stops it on its way', async () => {
  const cancelling = new AbortController();
  const { answer, line } = upload({ signal: cancelling.signal });
  expect(line.isAborted).toBe(false);
  cancelling.abort();
  expect(line.isAborted).toBe(true);
  await expect(answer).rejects.toThrow(BROKEN);
});
