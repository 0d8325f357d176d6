import { act, cleanup, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { late } from '#web/lib/late.ts';
import { WantedPart } from '#web/ui/late.tsx';

type Part = ComponentType<{ name: string }>;
const Dialog: Part = ({ name }) => <p>The dialog of {name}</p>;
let answers: PromiseWithResolvers<Part>[] = [];

/** Code that loads when the test allows it. */
function load(): Promise<Part> {
  const answer = Promise.withResolvers<Part>();
  answers.push(answer);
  return answer.promise;
}

const goDown = (at: number) =>
  act(async () => answers[at]?.reject(new TypeError('Failed to fetch dynamically imported module: /assets/a.js')));

function open() {
  const part = late(load);
  render(
    <ErrorBoundary>
      <p>The screen</p>
      <WantedPart part={part} waiting={<p>A moment</p>}>
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

test('a part that fails to load shows an error in its place, keeps the screen, and loads after a retry', async () => {
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

test('a failed part loads when the network returns, and shows its error in Swahili', async () => {
  await changeLanguage('sw');
  open();
  await goDown(0);
  expect(screen.getByRole('alert')).toHaveTextContent('Sehemu hii haikuweza kupakiwa. Angalia mtandao wako.');
  expect(screen.getByRole('button', { name: 'Jaribu tena' })).toBeInTheDocument();
  act(() => void window.dispatchEvent(new Event('online')));
  await act(async () => answers[1]?.resolve(Dialog));
  expect(screen.getByText('The dialog of Asha')).toBeInTheDocument();
});

test('a failed part is retried every few seconds, because a reported network may not work yet', async () => {
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

test('during a retry the button is locked', async () => {
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

/**
 * The server's response for the file that could not be loaded. @returns the reloads of the page, and a function that
 * waits for the response.
 */
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
])('if its file %s, the page reloads %i times', async (_what, reloads, answer) => {
  const { reload, heard } = serveFile(answer as () => Response);
  open();
  await goDown(0);
  expect(screen.getByText('The screen')).toBeInTheDocument();
  await heard();
  expect(reload).toHaveBeenCalledTimes(reloads);
});

test('a missing file does not reload the page after the user has left the screen', async () => {
  const answer = Promise.withResolvers<Response>();
  const { reload, heard } = serveFile(() => answer.promise);
  open();
  await goDown(0);
  cleanup();
  answer.resolve(new HttpResponse(null, { status: 404 }));
  await heard();
  expect(reload).not.toHaveBeenCalled();
});

test('without a network a failed part is not retried', async () => {
  vi.useFakeTimers();
  loseNetwork();
  open();
  await goDown(0);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(answers).toHaveLength(1);
});
