import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE_MS } from '#contract/durations.ts';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { aPhoto, aWaitingPhoto, serveUploads } from '#tests/web/support/photos.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { getSession, signInAs, signOut } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { forgetPhotos, keepPhotos, readPhotos } from '#web/offline/photo-queue.ts';
import { onPhotoSent, startPhotos, uploadTelling } from '#web/offline/photo-sender.ts';
import { PhotoBar } from '#web/offline/waiting.tsx';
import { ToastRegion } from '#web/ui/toast.tsx';

describe('sending photos', () => {
  URL.createObjectURL = () => 'blob:a-picture';
  URL.revokeObjectURL = () => undefined;

  beforeEach(async () => {
    await changeLanguage('en');
    signInAs({ token: 'a-token', userId: 'a-user' });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await forgetPhotos(() => true);
  });

  const taken = () => HttpResponse.json(aPhoto(), { status: 201 });
  const never = () => new Promise<Response>(() => undefined);
  const keysOf = (sent: { key: string | null }[]) => sent.map(({ key }) => key);
  const bar = () => within(screen.getByRole('region', { name: 'Photos being sent' }));

  async function keep(...places: string[]) {
    const photos = places.map((place) => aWaitingPhoto({ id: crypto.randomUUID(), place }));
    await keepPhotos(photos);
    return photos.map(({ id }) => id);
  }

  test.each([
    ['en', 'Photos being sent', 'One photo is being sent.', 'Photo 1', 'Do not send photo 1'],
    ['sw', 'Picha zinazotumwa', 'Picha moja inatumwa.', 'Picha ya 1', 'Usitume picha ya 1'],
  ] as const)(
    'the upload of a photo is shown in the language %s with its progress',
    async (language, title, sentence, name, stop) => {
      await changeLanguage(language);
      serveUploads(never);
      await keep('post:the-post');
      render(<PhotoBar />);
      const region = within(await screen.findByRole('region', { name: title }));
      expect(region.getByText(sentence)).toBeInTheDocument();
      expect(region.getByRole('progressbar', { name })).toHaveAttribute('value', '0');
      await waitFor(() => expect(region.getByRole('presentation')).toHaveAttribute('src', 'blob:a-picture'));
      expect(region.getByRole('button', { name: stop })).toHaveAttribute('type', 'button');
      expect(region.queryByRole('alert')).toBeNull();
    },
  );

  test('without a network, photos wait, with a message in English or Swahili, and are sent when the network returns', async () => {
    const findNetwork = loseNetwork();
    const sent = serveUploads();
    const ids = await keep('post:the-post', 'post:the-post');
    render(<PhotoBar />);
    expect(
      await screen.findByText('2 photos are waiting for the network. They are sent once, automatically.'),
    ).toBeInTheDocument();
    expect(screen.getByText(/^This phone cannot store photos\. Keep this page open/)).toBeInTheDocument();
    await act(() => changeLanguage('sw'));
    expect(screen.getByText('Picha 2 zinasubiri mtandao. Zitatumwa zenyewe, mara moja tu.')).toBeInTheDocument();
    expect(sent).toEqual([]);
    findNetwork();
    act(() => void fireEvent(window, new Event('online')));
    await waitFor(() => expect(keysOf(sent)).toEqual(ids));
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
  });

  test('one message appears after the last photo was sent, and all lists of posts are refetched', async () => {
    const sent = serveUploads();
    queryClient.setQueryData(queryKeys.posts.own('a-user'), 'seen');
    const told: [string, number][] = [];
    onTestFinished(onPhotoSent((postId, _photo, left) => told.push([postId, left])) as () => void);
    await keep('post:one', 'post:two', 'outbox:a-key');
    render(
      <>
        <ToastRegion />
        <PhotoBar />
      </>,
    );
    expect(await screen.findAllByText('The photos have been added to your post.')).toHaveLength(1);
    expect(sent.map(({ postId }) => postId)).toEqual(['one', 'two']);
    expect(told).toEqual([
      ['one', 1],
      ['two', 0],
    ]);
    expect(queryClient.getQueryState(queryKeys.posts.own('a-user'))?.isInvalidated).toBe(true);
  });

  test('photos are not sent if they have no post or belong to another user', async () => {
    const sent = serveUploads();
    await keep('outbox:a-key', 'postDraft:a-user:new');
    await keepPhotos([aWaitingPhoto({ userId: 'another-user' }), aWaitingPhoto({ refusal: 'No.' })]);
    const [id] = await keep('post:the-post');
    onTestFinished(startPhotos());
    await waitFor(() => expect(keysOf(sent)).toEqual([id]));
    await waitFor(async () => expect(await readPhotos()).toHaveLength(4));
    act(signOut);
    render(<PhotoBar />);
    await act(async () => undefined);
    expect(screen.queryByRole('region')).toBeNull();
  });

  test('a user’s waiting photos are sent after the sign-in', async () => {
    signOut();
    const sent = serveUploads();
    const [id] = await keep('post:the-post');
    onTestFinished(startPhotos());
    await act(async () => undefined);
    expect(sent).toEqual([]);
    act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
    await waitFor(() => expect(keysOf(sent)).toEqual([id]));
  });

  test('removing a photo that is being uploaded aborts its upload, and the next photo is sent', async () => {
    const sent = serveUploads(never, never);
    const [first, second] = await keep('post:the-post', 'post:the-post');
    render(<PhotoBar />);
    const user = startUser();
    await waitFor(() => expect(keysOf(sent)).toEqual([first]));
    expect(bar().getByText('2 photos are being sent.')).toBeInTheDocument();
    await user.click(bar().getByRole('button', { name: 'Do not send photo 1' }));
    await waitFor(() => expect(keysOf(sent)).toEqual([first, second]));
    expect(bar().getAllByRole('listitem')).toHaveLength(1);
    expect(bar().queryByRole('alert')).toBeNull();
    await user.click(bar().getByRole('button', { name: 'Do not send photo 1' }));
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
  });

  test('removing a waiting photo does not abort the current upload', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const sent = serveUploads(() => promise);
    const [first] = await keep('post:the-post', 'post:the-post');
    render(<PhotoBar />);
    await waitFor(() => expect(keysOf(sent)).toEqual([first]));
    await startUser().click(bar().getByRole('button', { name: 'Do not send photo 2' }));
    resolve(taken());
    await waitFor(async () => expect(await readPhotos()).toEqual([]));
    expect(keysOf(sent)).toEqual([first]);
  });

  test.each([
    ['photo_broken', 1],
    ['photo_too_large', 1],
    ['too_many_photos', 2],
  ])(
    'after the refusal %s, %d of a post’s two photos show the error, and the photo of another post is still sent',
    async (code, refused) => {
      const sent = serveUploads(() => refuse(422, code, 'It cannot be taken.'));
      await keep('post:one', 'post:one', 'post:two');
      render(<PhotoBar />);
      await waitFor(async () => expect(await readPhotos()).toHaveLength(refused));
      expect(
        bar()
          .getAllByRole('alert')
          .map(({ textContent }) => textContent),
      ).toEqual(Array.from({ length: refused }, () => 'It cannot be taken.'));
      expect(bar().queryByRole('progressbar')).toBeNull();
      expect(sent.at(-1)?.postId).toBe('two');
    },
  );

  test('the number of photos being sent excludes refused photos, and a refused photo can be retried at once', async () => {
    const sent = serveUploads(
      () => refuse(422, 'photo_broken', 'It cannot be read.'),
      () => refuse(500, 'internal_error'),
    );
    const ids = await keep('post:one', 'post:one', 'post:one');
    render(<PhotoBar />);
    expect(await screen.findByText('It cannot be read.')).toBeInTheDocument();
    expect(bar().getByText('2 photos are being sent.')).toBeInTheDocument();
    await waitFor(() => expect(sent).toHaveLength(2));
    await act(async () => undefined);
    await startUser().click(bar().getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(keysOf(sent)).toEqual([ids[0], ids[1], ...ids]));
  });

  test('a photo that is refused because photos are switched off is not retried automatically', async () => {
    const sent = serveUploads(() => refuse(503, 'switched_off', 'No photos for a while.'));
    await keep('post:one', 'post:one', 'post:two');
    render(<PhotoBar />);
    expect(await screen.findAllByText('No photos for a while.')).toHaveLength(2);
    await waitFor(() => expect(sent).toHaveLength(2));
  });

  let hours = 0;

  /** Starts to send two photos, an hour later than the previous test, so that no waiting time of that test remains. */
  async function startWith(...answers: (() => Response)[]) {
    const now = Date.now() + ++hours * 60 * MINUTE_MS;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true, now });
    const sent = serveUploads(...answers);
    await keep('post:the-post', 'post:the-post');
    onTestFinished(startPhotos());
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    return sent;
  }

  test.each([
    ['asks to wait two minutes', () => HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '120' } }), 2],
    [
      'asks to wait fifteen seconds',
      () => HttpResponse.json({}, { status: 503, headers: { 'Retry-After': '15' } }),
      1 / 4,
    ],
    ['asks to wait ten minutes', () => HttpResponse.json({}, { status: 429, headers: { 'Retry-After': '600' } }), 10],
    ['fails, which means a wait of five minutes', () => refuse(500, 'internal_error'), 5],
  ])('if the server %s, no photo is sent before the waiting time has passed', async (_what, answer, minutes) => {
    const sent = await startWith(answer);
    fireEvent(window, new Event('online'));
    await act(() => vi.advanceTimersByTimeAsync(minutes * MINUTE_MS - 10_000));
    expect(sent).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[1]?.key).toBe(sent[0]?.key);
    expect((await readPhotos()).map(({ refusal }) => refusal)).toEqual([]);
  });

  test('a photo that was refused because the session had expired is sent as soon as its user signs in', async () => {
    const sent = await startWith(() => refuse(401, 'unauthorized'));
    await vi.waitFor(() => expect(getSession()).toBeNull());
    act(() => signInAs({ token: 'a-new-token', userId: 'a-user' }));
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });

  test('an interrupted upload is retried after half a minute, or when the network returns', async () => {
    const sent = await startWith(
      () => HttpResponse.error(),
      () => HttpResponse.error(),
    );
    await act(() => vi.advanceTimersByTimeAsync(25_000));
    expect(sent).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    fireEvent(window, new Event('online'));
    await vi.waitFor(() => expect(sent).toHaveLength(4));
  });
});

describe('the upload of a photo', () => {
  /** A browser's upload request, whose progress the test controls. */
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

  test('sends the file with the caller’s headers, and returns the response as fetch does', async () => {
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

  test('accepts an empty response without headers', async () => {
    const answer = uploadTelling(() => undefined)('/api/photos', { body: PICTURE });
    expect(Line.last.opened[0]).toBe('POST');
    Line.last.answer(204, '', '');
    const response = await answer;
    expect([response.status, response.body, [...response.headers]]).toEqual([204, null, []]);
  });

  test('reports its progress, and zero if the total size is unknown', async () => {
    const { answer, shares, line } = upload();
    line.upload.onprogress?.({ loaded: 1, total: 4 });
    line.upload.onprogress?.({ loaded: 4, total: 4 });
    line.upload.onprogress?.({ loaded: 4, total: 0 });
    expect(shares).toEqual([0.25, 1, 0]);
    line.onerror?.();
    await expect(answer).rejects.toThrow(BROKEN);
  });

  test('fails after 45 seconds without progress, but not because of slow progress', async () => {
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

  test('fails after 45 seconds if the browser has sent no part of the photo', async () => {
    const { answer, line } = upload();
    vi.advanceTimersByTime(45_000);
    expect(line.isAborted).toBe(true);
    await expect(answer).rejects.toThrow(BROKEN);
  });

  test('clears its timers after the response', async () => {
    const { answer, line } = upload();
    line.answer(201, 'X: y', '{}');
    await answer;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('stops if the request is aborted', async () => {
    const cancelling = new AbortController();
    const { answer, line } = upload({ signal: cancelling.signal });
    expect(line.isAborted).toBe(false);
    cancelling.abort();
    expect(line.isAborted).toBe(true);
    await expect(answer).rejects.toThrow(BROKEN);
  });
});
