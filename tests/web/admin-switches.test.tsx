import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));

/** Answers as the server of a platform admin, when it may turn them, and keeps how the switches were turned. */
function serve(mayTurn?: Promise<void>) {
  let switches = { registration: true, photos: true, claims: true, whatsapp_notices: true };
  const turned: unknown[] = [];
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: true })),
    http.get('*/api/admin/switches', () => HttpResponse.json(switches)),
    http.put('*/api/admin/switches', async ({ request }) => {
      await mayTurn;
      switches = (await request.json()) as typeof switches;
      turned.push(switches);
      return HttpResponse.json(switches);
    }),
  );
  return turned;
}

async function rowOf(name: string) {
  return within((await screen.findByRole('heading', { name: new RegExp(`^${name}`) })).closest('li') as HTMLElement);
}

test('an admin switches a part off and on again, and leaves the others as they are', async () => {
  const turned = serve();
  const { user } = await renderScreen('/admin?tab=switches', { isSignedIn: true });
  await user.click((await rowOf('Claims')).getByRole('button', { name: 'Switch off' }));
  expect(await screen.findByText('Claims were switched off')).toBeInTheDocument();
  expect(await (await rowOf('Claims')).findByText('Off')).toBeInTheDocument();
  expect((await rowOf('Photos')).getByText('On')).toBeInTheDocument();
  await user.click((await rowOf('Claims')).getByRole('button', { name: 'Switch on' }));
  expect(await screen.findByText('Claims were switched on')).toBeInTheDocument();
  const on = { registration: true, photos: true, claims: true, whatsapp_notices: true };
  expect(turned).toEqual([{ ...on, claims: false }, on]);
});

test('a switch turned elsewhere in the meantime stays as it is', async () => {
  const turned = serve();
  const { user } = await renderScreen('/admin?tab=switches', { isSignedIn: true });
  const photos = await rowOf('Photos');
  const off = { registration: true, photos: true, claims: false, whatsapp_notices: true };
  await fetch('/api/admin/switches', { method: 'PUT', body: JSON.stringify(off) });
  await user.click(photos.getByRole('button', { name: 'Switch off' }));
  expect(await screen.findByText('Photos were switched off')).toBeInTheDocument();
  expect(turned.at(-1)).toEqual({ ...off, photos: false });
  expect(await (await rowOf('Claims')).findByText('Off')).toBeInTheDocument();
});

test('two switches turned at once are both turned', async () => {
  const { promise: mayTurn, resolve: turn } = Promise.withResolvers<void>();
  const turned = serve(mayTurn);
  const { user } = await renderScreen('/admin?tab=switches', { isSignedIn: true });
  const buttons = [await rowOf('Photos'), await rowOf('Claims')].map((row) =>
    row.getByRole('button', { name: 'Switch off' }),
  );
  for (const button of buttons) await user.click(button);
  for (const button of buttons) expect(button).toHaveAttribute('aria-busy', 'true');
  // Longer than the second one would need to ask how they stand.
  await fetch('/api/admin/switches');
  turn();
  expect(await screen.findByText('Claims were switched off')).toBeInTheDocument();
  expect(turned.at(-1)).toMatchObject({ photos: false, claims: false });
});

test('each switch says what it is about, and its button which one it turns', async () => {
  serve();
  await renderScreen('/admin?tab=switches', { isSignedIn: true });
  expect(await screen.findByText(/^A part that is off accepts nothing new/)).toBeInTheDocument();
  for (const [name, text] of [
    ['New accounts', /^Whether people can create accounts/],
    ['Photos', /^Whether photos can be added/],
    ['Claims', /^Whether items can be claimed/],
    ['WhatsApp notices', /^Whether notices are sent by WhatsApp/],
  ] as const) {
    const row = await rowOf(name);
    expect(row.getByText(text)).toBeInTheDocument();
    expect(row.getByRole('button', { name: 'Switch off' })).toHaveAccessibleDescription(new RegExp(`^${name} ?On$`));
  }
});

test('a switch is turned once however often it is pressed, and one that fails says so and stays', async () => {
  serve();
  const { promise, resolve } = Promise.withResolvers<Response>();
  let asked = 0;
  server.use(
    http.put('*/api/admin/switches', () => {
      asked++;
      return promise as never;
    }),
  );
  const { user } = await renderScreen('/admin?tab=switches', { isSignedIn: true });
  const button = (await rowOf('Photos')).getByRole('button', { name: 'Switch off' });
  await user.dblClick(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  resolve(HttpResponse.json({ detail: 'Haiwezekani.' }, { status: 403 }));
  expect(await screen.findByText('Haiwezekani.')).toBeInTheDocument();
  expect((await rowOf('Photos')).getByText('On')).toBeInTheDocument();
  expect(asked).toBe(1);
});
