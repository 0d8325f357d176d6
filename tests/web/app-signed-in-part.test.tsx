import { act, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { SignedInPart } from '#web/app/signed-in-part.tsx';
import { signInAs, signOut } from '#web/lib/session.ts';
import './support/setup.ts';

const Bar = () => <p>The bar</p>;

/** As the network has it: what is asked for waits until the test answers. */
function serveCode() {
  const answers: PromiseWithResolvers<ComponentType>[] = [];
  function load(): Promise<ComponentType> {
    const answer = Promise.withResolvers<ComponentType>();
    answers.push(answer);
    return answer.promise;
  }
  return { answers, load };
}

const fail = (answer?: PromiseWithResolvers<ComponentType>) =>
  act(async () => answer?.reject(new TypeError('Failed to fetch')));
const come = (answer?: PromiseWithResolvers<ComponentType>) => act(async () => answer?.resolve(Bar));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const signIn = () => act(async () => signInAs({ token: 'a-token', userId: 'a-user' }));

afterEach(() => vi.useRealTimers());

test('a visitor loads nothing of what only the signed-in need; it comes when they sign in', async () => {
  const { answers, load } = serveCode();
  render(<SignedInPart load={load} />);
  expect(answers).toEqual([]);
  await signIn();
  expect(answers).toHaveLength(1);
  expect(screen.queryByText('The bar')).toBeNull();
  await come(answers[0]);
  expect(screen.getByText('The bar')).toBeInTheDocument();
  expect(answers).toHaveLength(1);
});

test('what could not be loaded is asked for again a quarter of a minute later, until it is here', async () => {
  vi.useFakeTimers();
  const { answers, load } = serveCode();
  await signIn();
  render(<SignedInPart load={load} />);
  await fail(answers[0]);
  await pass(14_000);
  expect(answers).toHaveLength(1);
  await pass(1_100);
  expect(answers).toHaveLength(2);
  await fail(answers[1]);
  await pass(15_100);
  await come(answers[2]);
  expect(screen.getByText('The bar')).toBeInTheDocument();
  await pass(60_000);
  expect(answers).toHaveLength(3);
});

test('whoever signs out meanwhile is left alone with it', async () => {
  vi.useFakeTimers();
  const { answers, load } = serveCode();
  await signIn();
  render(<SignedInPart load={load} />);
  await fail(answers[0]);
  await act(async () => signOut());
  await pass(60_000);
  expect(answers).toHaveLength(1);
  await signIn();
  await act(async () => signOut());
  await fail(answers[1]);
  await pass(60_000);
  expect(answers).toHaveLength(2);
});

test('what comes after the sign-out is not shown', async () => {
  const { answers, load } = serveCode();
  await signIn();
  render(<SignedInPart load={load} />);
  await act(async () => signOut());
  await come(answers[0]);
  expect(screen.queryByText('The bar')).toBeNull();
});
