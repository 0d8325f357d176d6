import type { CDPSession, Page, Worker } from '@playwright/test';
import type { NoticeList } from '#contract/notices.ts';
import { expect, test, WHOLE_BROWSER } from '#tests/support/e2e-fixtures.ts';
import { waitUntilKept } from '#tests/support/e2e-offline.ts';
import { appOrigin, callApi, newOwnerName, newPost, type Person } from '#tests/support/e2e-people.ts';

test.use({ ...WHOLE_BROWSER, serviceWorkers: 'allow' });

// The service worker is the same on every screen size.
test.skip(({ isMobile }) => !isMobile);

/** Creates two posts that surely match, and returns the owner's notice. */
async function makeMatch(owner: Person, finder: Person) {
  const card = { ...newOwnerName(), location: 'Kariakoo, Dar es Salaam', description: '' };
  await newPost(owner, { ...card, posted_by: 'owner', title: 'Nimepoteza kitambulisho cha NIDA' });
  const { id: postId } = await newPost(finder, { ...card, posted_by: 'finder', title: 'Found a NIDA card' });
  const list = () => callApi<NoticeList>('GET', '/api/notices', { token: owner.token });
  await expect.poll(async () => (await list()).notices.length).toBe(1);
  return { postId, noticeId: (await list()).notices[0]?.message.id ?? '' };
}

function pushOf({ postId, noticeId }: { postId: string; noticeId: string }) {
  return {
    type: 'matching_post',
    id: noticeId,
    title: 'Kuna tangazo linalofanana na lako',
    body: 'Mtu ametangaza hati ambayo huenda ni ile ya tangazo lako.',
    url: `/posts/${postId}`,
    language: 'sw',
    silent: false,
  };
}

/** Makes DevTools deliver pushes to the page's service worker, like a push service. */
async function openPushLine(page: Page) {
  await page.context().grantPermissions(['notifications'], { origin: appOrigin() });
  await waitUntilKept(page);
  const devTools: CDPSession = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL.startsWith(appOrigin()));
      if (registration) resolve(registration.registrationId);
    });
  });
  await devTools.send('ServiceWorker.enable');
  const registrationId = await found;
  return (data: string) =>
    devTools.send('ServiceWorker.deliverPushMessage', { origin: `${appOrigin()}/`, registrationId, data });
}

function shownOn(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, tag, lang }) => ({ title, body, tag, lang }));
  });
}

/**
 * Presses a notification or one of its buttons, inside the service worker.
 * @param showAgain is called before each try. A notification may be missing: a new push replaces it, or the page closes
 * it.
 */
async function pressNotification(
  page: Page,
  tag: string,
  action: string,
  showAgain: () => Promise<void> = async () => undefined,
): Promise<void> {
  const worker = page.context().serviceWorkers()[0] as Worker;
  const press = async () => {
    await showAgain();
    return worker.evaluate(
      async ([name, pressed]) => {
        const scope = globalThis as unknown as ServiceWorkerScope;
        const [notification] = await scope.registration.getNotifications({ tag: name });
        if (!notification) return false;
        return scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: pressed }));
      },
      [tag, action],
    );
  };
  await expect.poll(press).toBe(true);
}

type ServiceWorkerScope = {
  registration: { getNotifications(filter: { tag: string | undefined }): Promise<unknown[]> };
  NotificationEvent: new (type: string, init: object) => Event;
  dispatchEvent(event: Event): boolean;
};

test('a push appears if the open page has no live connection, and pressing the push shows the post in that page', async ({
  person,
  openAs,
}) => {
  const [owner, finder] = [await person(), await person()];
  const page = await openAs(owner, '/', { language: 'sw' });
  // Cuts the page's WebSocket off from the server, so that only the service worker can inform the page.
  await page.routeWebSocket(/\/ws\//, () => undefined);
  await page.reload();
  const deliver = await openPushLine(page);
  const match = await makeMatch(owner, finder);
  const push = pushOf(match);
  await deliver(JSON.stringify(push));
  const again = { ...push, body: 'Tangazo linalofanana bado lipo.' };
  await deliver(JSON.stringify(again));
  await expect
    .poll(() => shownOn(page))
    .toEqual([{ title: push.title, body: again.body, tag: match.noticeId, lang: 'sw' }]);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await pressNotification(page, match.noticeId, 'view');
  await expect(page).toHaveURL(`/posts/${match.postId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Found a NIDA card' })).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await expect.poll(() => shownOn(page)).toEqual([]);
});

test('pressing “Not this one” on a notification dismisses the match, and reading a notice removes its notification', async ({
  person,
  openAs,
}) => {
  const [owner, finder] = [await person(), await person()];
  const page = await openAs(owner, '/', { language: 'sw' });
  const deliver = await openPushLine(page);
  const match = await makeMatch(owner, finder);
  await deliver(JSON.stringify({ ...pushOf(match), id: 'a-notice-of-before', silent: true }));
  await deliver(JSON.stringify(pushOf(match)));
  const tagsAfter = async (push: string) => {
    // DevTools does not report whether the push arrived, so each poll delivers the push again.
    await deliver(push);
    return (await shownOn(page)).map(({ tag }) => tag);
  };
  await expect.poll(() => tagsAfter('no JSON at all')).toContain('general');
  expect((await shownOn(page)).find(({ tag }) => tag === 'general')?.body).toContain('Una arifa mpya.');

  const dismissed = page.waitForResponse((answer) => answer.url().endsWith(`/api/notices/${match.noticeId}/dismiss`));
  // The notice's modal closes the notification, so each try shows the notification again.
  const showAgain = () =>
    page.evaluate(
      (id) =>
        navigator.serviceWorker.ready.then((registration) =>
          registration.showNotification('Tena', { tag: id, data: { id, url: '/notices' } }),
        ),
      match.noticeId,
    );
  await pressNotification(page, match.noticeId, 'dismiss', showAgain);
  expect((await dismissed).status()).toBe(204);
  await expect(page).toHaveURL('/notices');
  await expect(page.getByText('Sawa. Hatutakuonyesha tena matangazo haya mawili pamoja.')).toBeVisible();
});
