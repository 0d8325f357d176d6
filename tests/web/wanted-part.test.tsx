import { act, cleanup, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { WantedPart } from '#web/ui/wanted-part.tsx';
import { loseNetwork } from './support/phone.ts';
import { server } from './support/setup.ts';
import { startUser } from './support/user.ts';

type Part = ComponentType<{ name: string }>;
const Dialog: Part = ({ name }) => <p>The dialog of {name}</p>;
let answers: PromiseWithResolvers<Part>[] = [];

/** As the network has it: what is asked for waits until the test answers. */
function load(): Promise<Part> {
  const answer = Promise.withResolvers<Part>();
  answers.push(answer);
  return answer.promise;
}

const goDown = (at: number) =>
  act(async () => answers[at]?.reject(new TypeError('Failed to fetch dynamically imported module: /assets/a.js')));

function open() {
  render(
    <ErrorBoundary>
      <p>The screen</p>
      <WantedPart load={load} waiting={<p>A moment</p>}>
        {(Loaded) => <Loaded name="Asha" />}
      </WantedPart>
    </ErrorBoundary>,
  );
  return startUser();
}

beforeEach(async () => {
  answers = [];
  await changeLanguage('en');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a part that cannot be loaded says so in its place, leaves the screen, and comes when it is tried again', async () => {
  const user = open();
  expect(screen.getByText('A moment')).toBeInTheDocument();
  await goDown(0);
  expect(screen.getByRole('alert')).toHaveTextContent('This part could not be loaded. Check your network.');
  expect(screen.getByText('The screen')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await goDown(1);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await act(async () => answers[2]?.resolve(Dialog));
  expect(screen.getByText('The dialog of Asha')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('it comes by itself when the network is back, and says in Swahili that it could not before', async () => {
  await changeLanguage('sw');
  open();
  await goDown(0);
  expect(screen.getByRole('alert')).toHaveTextContent('Sehemu hii haikuweza kupakiwa. Angalia mtandao wako.');
  expect(screen.getByRole('button', { name: 'Jaribu tena' })).toBeInTheDocument();
  act(() => void window.dispatchEvent(new Event('online')));
  await act(async () => answers[1]?.resolve(Dialog));
  expect(screen.getByText('The dialog of Asha')).toBeInTheDocument();
});

test('it is asked for again every few seconds, since a network may be there and bring nothing yet', async () => {
  vi.useFakeTimers();
  open();
  await goDown(0);
  act(() => void window.dispatchEvent(new Event('online')));
  await goDown(1);
  expect(answers).toHaveLength(2);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await act(async () => answers[2]?.resolve(Dialog));
  expect(screen.getByText('The dialog of Asha')).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(answers).toHaveLength(3);
});

test('while it is asked for again, the button that asks is locked', async () => {
  const user = open();
  await goDown(0);
  const button = screen.getByRole('button', { name: 'Try again' });
  expect(button).not.toHaveAttribute('aria-busy');
  await user.click(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  await user.click(button);
  expect(answers).toHaveLength(2);
  await goDown(1);
  expect(button).not.toHaveAttribute('aria-busy');
});

/** How the server answers for the file that could not be loaded. @returns the reloads of the page, and what waits for the answer. */
function serveFile(answer: () => Response | Promise<Response>) {
  const reload = vi.fn();
  vi.stubGlobal('location', { ...window.location, reload });
  server.use(http.head('*/assets/a.js', () => answer() as never));
  const sent = vi.spyOn(globalThis, 'fetch');
  const heard = () => act(() => Promise.allSettled(sent.mock.results.map(({ value }) => value)));
  return { reload, heard };
}

test.each([
  ['is gone', 1, () => new HttpResponse(null, { status: 404 })],
  ['has the page in its place', 1, () => HttpResponse.html('<!doctype html>')],
  ['is there after all', 0, () => new HttpResponse(null, { headers: { 'Content-Type': 'text/javascript' } })],
  ['cannot be asked for', 0, () => HttpResponse.error()],
])('where its file %s, the page is loaded anew %i times', async (_what, reloads, answer) => {
  const { reload, heard } = serveFile(answer as () => Response);
  open();
  await goDown(0);
  expect(screen.getByText('The screen')).toBeInTheDocument();
  await heard();
  expect(reload).toHaveBeenCalledTimes(reloads);
});

test('whoever has left the screen is not taken from where they are by a file that is gone', async () => {
  const answer = Promise.withResolvers<Response>();
  const { reload, heard } = serveFile(() => answer.promise);
  open();
  await goDown(0);
  cleanup();
  answer.resolve(new HttpResponse(null, { status: 404 }));
  await heard();
  expect(reload).not.toHaveBeenCalled();
});

test('without a network it is not asked for', async () => {
  vi.useFakeTimers();
  loseNetwork();
  open();
  await goDown(0);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(answers).toHaveLength(1);
});
