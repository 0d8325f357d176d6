import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { Carousel } from '#web/home/carousel.tsx';
import { testimonials } from '#web/home/testimonials.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';
import { startUser } from './support/user.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Rendered by itself: the clock of these tests is theirs, and a screen's loading would wait for it. */
async function openCarousel() {
  await changeLanguage('en');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  render(<Carousel />);
  return screen.getByRole('region', { name: 'Example stories about Patikana' });
}

function shownNames(carousel: HTMLElement): string[] {
  const slides = within(carousel).getAllByRole('group');
  return testimonials.filter((_, at) => !slides[at]?.classList.contains('invisible')).map(({ name }) => name);
}

function pass(milliseconds: number) {
  act(() => vi.advanceTimersByTime(milliseconds));
}

test('home leads to reporting an item and to searching', async () => {
  await renderScreen('/');
  expect(await screen.findByRole('link', { name: 'Report Item' })).toHaveAttribute('href', '/create-post');
  expect(screen.getByRole('link', { name: 'Search Lost Items' })).toHaveAttribute('href', '/view-posts');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Welcome to Patikana');
  expect(screen.getByRole('heading', { name: 'How it works' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Found something? Post it.' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Lost something? Browse the posts.' })).toBeVisible();
});

test('home speaks Swahili to those who read Swahili', async () => {
  await renderScreen('/', { language: 'sw' });
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Karibu Patikana');
  expect(document.title).toBe('Vilivyopotea na kuokotwa Tanzania · Patikana');
  expect(document.documentElement.lang).toBe('sw');
});

test('a testimonial stands 4 seconds, the last 150 ms of them blurred', async () => {
  const carousel = await openCarousel();
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
  pass(3_850);
  expect(within(carousel).getAllByRole('group')[0]).toHaveClass('is-blurred');
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
  pass(150);
  expect(shownNames(carousel)).toEqual(['Juma Abdallah']);
  for (let turn = 0; turn < 5; turn++) {
    pass(3_850);
    pass(150);
  }
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
});

test('a dot shows its own testimonial', async () => {
  const carousel = await openCarousel();
  fireEvent.click(within(carousel).getByRole('button', { name: 'Show story 4' }));
  pass(150);
  expect(shownNames(carousel)).toEqual(['Mwalimu Rehema Salum']);
  expect(within(carousel).getByRole('button', { name: 'Show story 4' })).toHaveAttribute('aria-current', 'true');
  expect(within(carousel).getByRole('button', { name: 'Show story 1' })).toHaveAttribute('aria-current', 'false');
  expect(within(carousel).getAllByRole('group')[3]).not.toHaveClass('is-blurred');
});

test('the dot of the testimonial that is shown changes nothing, and takes back one that was coming', async () => {
  const carousel = await openCarousel();
  fireEvent.click(within(carousel).getByRole('button', { name: 'Show story 1' }));
  expect(within(carousel).getAllByRole('group')[0]).not.toHaveClass('is-blurred');
  fireEvent.click(within(carousel).getByRole('button', { name: 'Show story 4' }));
  fireEvent.click(within(carousel).getByRole('button', { name: 'Show story 1' }));
  pass(150);
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
});

test('a screen reader is told what the testimonials are, and reads on by itself only while they stand still', async () => {
  const carousel = await openCarousel();
  expect(carousel).toHaveAttribute('aria-roledescription', 'carousel');
  const slides = within(carousel).getAllByRole('group');
  expect(slides.map((slide) => slide.getAttribute('aria-label'))).toEqual(
    testimonials.map((_, at) => `Story ${at + 1} of 6`),
  );
  for (const slide of slides) expect(slide).toHaveAttribute('aria-roledescription', 'slide');
  expect(slides.map((slide) => slide.lastElementChild?.textContent)).toEqual([
    'Neema Mushi',
    'Juma Abdallah',
    'Baraka Mwakalinga',
    'Mwalimu Rehema Salum',
    'Elias Masanja',
    'Hamisi Mrisho',
  ]);
  const live = slides[0]?.parentElement;
  expect(live).toHaveAttribute('aria-live', 'off');
  fireEvent.click(within(carousel).getByRole('button', { name: 'Pause the stories' }));
  expect(live).toHaveAttribute('aria-live', 'polite');
  expect(screen.getByTestId('progress').parentElement).toHaveAttribute('aria-hidden', 'true');
  for (const button of within(carousel).getAllByRole('button')) expect(button).toHaveAttribute('type', 'button');
});

test.each([
  ['the pointer', fireEvent.pointerEnter, fireEvent.pointerLeave],
  ['the focus', fireEvent.focus, fireEvent.blur],
] as const)('when %s has left them the testimonials go on', async (what, enter, leave) => {
  const carousel = await openCarousel();
  const target = within(carousel).getByRole('button', { name: 'Show story 2' });
  enter(what === 'the focus' ? target : carousel);
  pass(20_000);
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
  leave(what === 'the focus' ? target : carousel);
  pass(3_850);
  pass(150);
  expect(shownNames(carousel)).toEqual(['Juma Abdallah']);
});

test.each([
  ['the pointer is on them', (carousel: HTMLElement) => fireEvent.pointerEnter(carousel)],
  [
    'the focus is among them',
    (carousel: HTMLElement) => fireEvent.focus(within(carousel).getByRole('button', { name: 'Show story 2' })),
  ],
  [
    'their reader paused them',
    (carousel: HTMLElement) => fireEvent.click(within(carousel).getByRole('button', { name: 'Pause the stories' })),
  ],
])('the testimonials stand still while %s', async (_case, hold) => {
  const carousel = await openCarousel();
  hold(carousel);
  pass(20_000);
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
});

test('a pointer that passes over the testimonials does not turn them for whoever has the focus among them', async () => {
  const carousel = await openCarousel();
  fireEvent.focus(within(carousel).getByRole('button', { name: 'Show story 2' }));
  fireEvent.pointerEnter(carousel);
  fireEvent.pointerLeave(carousel);
  pass(3_850);
  pass(150);
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
});

test('whoever has paused the testimonials and plays them again sees them go on, focus and pointer on the button', async () => {
  const carousel = await openCarousel();
  fireEvent.pointerEnter(carousel);
  fireEvent.focus(within(carousel).getByRole('button', { name: 'Pause the stories' }));
  fireEvent.click(within(carousel).getByRole('button', { name: 'Pause the stories' }));
  fireEvent.click(within(carousel).getByRole('button', { name: 'Play the stories' }));
  pass(3_850);
  pass(150);
  expect(shownNames(carousel)).toEqual(['Juma Abdallah']);
});

test('the testimonials stand still for those who want no motion', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(prefers-reduced-motion: reduce)',
    addEventListener() {},
    removeEventListener() {},
  }));
  const carousel = await openCarousel();
  pass(20_000);
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
  expect(within(carousel).getByRole('button', { name: 'Play the stories' })).toBeVisible();
  fireEvent.click(within(carousel).getByRole('button', { name: 'Play the stories' }));
  pass(3_850);
  pass(150);
  expect(shownNames(carousel)).toEqual(['Juma Abdallah']);
});

test('whoever asks for no motion while they turn has them stand still', async () => {
  let matches = false;
  const changes = new EventTarget();
  const left = vi.fn(changes.removeEventListener.bind(changes));
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return matches;
    },
    addEventListener: changes.addEventListener.bind(changes),
    removeEventListener: left,
  }));
  const carousel = await openCarousel();
  matches = true;
  act(() => void changes.dispatchEvent(new Event('change')));
  pass(20_000);
  expect(shownNames(carousel)).toEqual(['Neema Mushi']);
  expect(within(carousel).getByRole('button', { name: 'Play the stories' })).toBeVisible();
  cleanup();
  expect(left).toHaveBeenLastCalledWith('change', expect.any(Function));
});

async function writeFeedback() {
  const { user } = await renderScreen('/');
  await user.type(await screen.findByLabelText('Email'), 'asha@example.com');
  await user.type(screen.getByLabelText('Message'), 'Asante sana');
  await user.click(screen.getByRole('button', { name: 'Send feedback' }));
}

test('feedback is sent and thanked for', async () => {
  const sent = vi.fn();
  server.use(
    http.post('*/api/feedback', async ({ request }) => {
      sent(await request.json());
      return HttpResponse.json({}, { status: 201 });
    }),
  );
  await writeFeedback();
  expect(await screen.findByText('Thank you for your feedback!')).toBeVisible();
  expect(sent).toHaveBeenCalledExactlyOnceWith({ email: 'asha@example.com', message: 'Asante sana' });
  expect(screen.getByLabelText('Message')).toHaveValue('');
});

test('what is written on while the feedback is being sent is not lost', async () => {
  const answer = Promise.withResolvers<void>();
  server.use(
    http.post('*/api/feedback', async () => {
      await answer.promise;
      return HttpResponse.json({}, { status: 201 });
    }),
  );
  await writeFeedback();
  await screen.findByRole('button', { name: 'Sending…' });
  await startUser().type(screen.getByLabelText('Message'), ' kwa kazi');
  answer.resolve();
  expect(await screen.findByText('Thank you for your feedback!')).toBeVisible();
  expect(screen.getByLabelText('Message')).toHaveValue('Asante sana kwa kazi');
});

test('feedback that cannot be sent says so and keeps what was written', async () => {
  server.use(http.post('*/api/feedback', () => HttpResponse.json({ code: 'internal_error' }, { status: 500 })));
  await writeFeedback();
  expect(await screen.findByText('There was an error submitting your feedback. Please try again later.')).toBeVisible();
  expect(screen.getByLabelText('Message')).toHaveValue('Asante sana');
});

test.each([
  ['en', 'Send feedback', 'Email'],
  ['sw', 'Tuma maoni', 'Barua pepe'],
] as const)('empty feedback is not sent, and the first field has the focus in %s', async (language, button, email) => {
  const { user } = await renderScreen('/', { language });
  await user.click(await screen.findByRole('button', { name: button }));
  const field = await screen.findByLabelText(email);
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  expect(field).toHaveFocus();
});
