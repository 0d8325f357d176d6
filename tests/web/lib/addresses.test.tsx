import '#tests/web/support/setup.ts';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect, test, vi } from 'vitest';
import { atStep } from '#tests/web/support/phone.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { screens } from '#web/app/screens.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import * as all from '#web/lib/paths.ts';
import { useGoBack } from '#web/lib/use-go-back.ts';
import { readFilter, usePostFilter } from '#web/posts/list/post-filter.ts';

afterEach(() => vi.useRealTimers());

test('every address belongs to a screen, and its parameters are escaped', () => {
  const addresses = screens.map(({ path }) => path);
  for (const path of Object.values(all.paths)) expect(addresses).toContain(path);
  const id = 'a/b?c#d';
  const made = [
    [all.communityPath, '/communities/a%2Fb%3Fc%23d'],
    [all.runCommunityPath, '/community-details/a%2Fb%3Fc%23d'],
    [all.communityMembersPath, '/community-details/a%2Fb%3Fc%23d?tab=members'],
    [all.deskPath, '/communities/a%2Fb%3Fc%23d/desk'],
    [all.postPath, '/posts/a%2Fb%3Fc%23d'],
    [all.answerPath, '/create-post?answers=a%2Fb%3Fc%23d'],
    [all.contactPath, '/posts/a%2Fb%3Fc%23d/contact'],
    [all.posterPath, '/posts/a%2Fb%3Fc%23d/poster'],
    [all.claimPostPath, '/posts/a%2Fb%3Fc%23d/claim'],
    [all.claimPath, '/claims/a%2Fb%3Fc%23d'],
  ] as const;
  for (const [make, path] of made) expect(make(id)).toBe(path);
});

test('a list’s parameters are read from the address, and invalid ones are ignored', () => {
  const said = 'search=pochi&community_code=AB&posted_by=owner&kind=document&place=Moshi&days=7&open=1&exact=1';
  expect(readFilter(new URLSearchParams(said))).toEqual({
    search: 'pochi',
    communityCode: 'AB',
    postedBy: 'owner',
    kind: 'document',
    place: 'Moshi',
    days: 7,
    isOpenOnly: true,
    isExact: true,
  });
  const nothing = { search: '', communityCode: null, postedBy: null, kind: null, place: '', days: null };
  for (const wrong of ['', 'posted_by=x&kind=y&days=8&open=yes&exact=0'])
    expect(readFilter(new URLSearchParams(wrong))).toEqual({ ...nothing, isOpenOnly: false, isExact: false });
});

function Screen() {
  const question = useDialogAddress('ask', 'name');
  const goBack = useGoBack('/home');
  const { typed, setTyped, setParam, clear, filter } = usePostFilter();
  return (
    <>
      <input aria-label="Search" value={typed} onChange={({ target }) => setTyped(target.value)} />
      <p>{filter.search}</p>
      {question.isOpen && <p>The question</p>}
      {[
        ['Open', question.open] as const,
        ['Close', question.close] as const,
        ['Back', goBack] as const,
        ['Keys', () => setParam('kind', 'keys')] as const,
        ['All', () => setParam('kind', '')] as const,
        ['Clear', clear] as const,
      ].map(([name, press]) => (
        <button key={name} type="button" onClick={press}>
          {name}
        </button>
      ))}
    </>
  );
}

function open(...entries: (string | { pathname: string; search?: string; state?: unknown })[]) {
  const router = createMemoryRouter([{ path: '*', Component: Screen }], { initialEntries: entries });
  render(<RouterProvider router={router} />);
  const at = () => router.state.location.pathname + router.state.location.search;
  const press = (name: string) => startUser().click(screen.getByRole('button', { name }));
  return { router, at, press, user: startUser(), back: () => act(() => router.navigate(-1)) };
}

const isAsked = () => screen.queryByText('The question') !== null;

test('going back closes a dialog with an address, and closing it leaves no history entry', async () => {
  const { router, at, press, back } = open('/before', {
    pathname: '/list',
    search: '?kind=keys',
    state: { from: 'x' },
  });
  await press('Open');
  expect([at(), isAsked()]).toEqual(['/list?kind=keys&ask=name', true]);
  expect(router.state.location.state).toEqual({ from: 'x', isDialog: true });
  await press('Open');
  await back();
  expect([at(), isAsked()]).toEqual(['/list?kind=keys', false]);
  await press('Open');
  await press('Close');
  expect([at(), isAsked()]).toEqual(['/list?kind=keys', false]);
  await back();
  expect(at()).toBe('/before');
});

test('two quick presses open one dialog', async () => {
  const { at, back } = open('/before', '/list');
  const button = (name: string) => screen.getByRole('button', { name });
  act(() => {
    fireEvent.click(button('Open'));
    fireEvent.click(button('Open'));
  });
  await waitFor(() => expect(isAsked()).toBe(true));
  act(() => {
    fireEvent.click(button('Close'));
    fireEvent.click(button('Close'));
  });
  await waitFor(() => expect(at()).toBe('/list'));
  await back();
  expect(at()).toBe('/before');
});

test('a dialog opened by the first address of a visit closes in place', async () => {
  const { router, at, press, back } = open('/before', { pathname: '/list', search: '?kind=keys&ask=name', state: 's' });
  expect(isAsked()).toBe(true);
  await press('Close');
  expect([at(), isAsked(), router.state.location.state]).toEqual(['/list?kind=keys', false, 's']);
  await back();
  expect(at()).toBe('/before');
});

test('another value of the parameter does not open the dialog', () => {
  open('/list?ask=age');
  expect(isAsked()).toBe(false);
});

test('going back leads to the previous screen, or else to a screen of ours', async () => {
  const { router, at, press } = open('/first');
  await press('Back');
  expect(at()).toBe('/home');
  await act(() => router.navigate('/second'));
  atStep(1);
  await press('Back');
  expect(at()).toBe('/home');
});

test('going back never leaves a visit whose first address was replaced', async () => {
  const { router, at, press } = open('/elsewhere', '/first');
  await act(() => router.navigate('/first?kind=keys', { replace: true }));
  atStep(0);
  await press('Back');
  expect(at()).toBe('/home');
});

test('a filter adds a history entry, and clearing all filters keeps the search', async () => {
  const { at, press, back } = open('/list?search=pochi');
  await press('Keys');
  expect(at()).toBe('/list?search=pochi&kind=keys');
  await press('All');
  expect(at()).toBe('/list?search=pochi');
  await back();
  expect(at()).toBe('/list?search=pochi&kind=keys');
  await press('Clear');
  expect(at()).toBe('/list?search=pochi');
});

test('text being typed is not lost when the same press chooses a filter', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { at, back } = open('/before', '/list');
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'pochi' } });
  await act(async () => {
    fireEvent.pointerDown(screen.getByRole('button', { name: 'Keys' }));
    fireEvent.click(screen.getByRole('button', { name: 'Keys' }));
  });
  expect(at()).toBe('/list?search=pochi&kind=keys');
  expect(screen.getByLabelText('Search')).toHaveValue('pochi');
  await back();
  expect(at()).toBe('/list?search=pochi');
  await back();
  await back();
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Keys' })));
  expect(at()).toBe('/before?kind=keys');
});

test.each([
  ['after a pause of its writer’s', () => vi.advanceTimersByTimeAsync(400)],
  ['when they touch something else', () => fireEvent.pointerDown(document.body)],
  ['when they leave its box', () => fireEvent.focusOut(screen.getByLabelText('Search'))],
])('typed text reaches the address %s, as one history entry', async (_when, end) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { at, back } = open('/before', '/list?kind=keys');
  const type = (value: string) => fireEvent.change(screen.getByLabelText('Search'), { target: { value } });
  type('po');
  await act(() => vi.advanceTimersByTimeAsync(399));
  expect(at()).toBe('/list?kind=keys');
  type('pochi');
  await act(() => vi.advanceTimersByTimeAsync(399));
  expect(at()).toBe('/list?kind=keys');
  await act(async () => void (await end()));
  expect(at()).toBe('/list?kind=keys&search=pochi');
  type('pochi n');
  await act(() => vi.advanceTimersByTimeAsync(400));
  expect(at()).toBe('/list?kind=keys&search=pochi+n');
  await back();
  expect([at(), screen.getByLabelText('Search')]).toEqual(['/list?kind=keys', expect.objectContaining({ value: '' })]);
});
