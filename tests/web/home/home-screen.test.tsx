import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { renderScreen, startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { Carousel, testimonials } from '#web/home/carousel.tsx';
import { supportAddresses } from '#web/home/support-addresses.ts';
import { changeLanguage } from '#web/lib/i18n.ts';

describe('the home screen', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Renders without the router: these tests fake the clock, and the router's lazy screen would never load. */
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

  test('the home page links to the form for a new post and to the list of posts', async () => {
    await renderScreen('/');
    expect(await screen.findByRole('link', { name: 'Report Item' })).toHaveAttribute('href', '/create-post');
    expect(screen.getByRole('link', { name: 'Search Lost Items' })).toHaveAttribute('href', '/view-posts');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Welcome to Patikana');
    expect(screen.getByRole('heading', { name: 'How it works' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Found something? Post it.' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Lost something? Browse the posts.' })).toBeVisible();
  });

  test('the home page is shown in Swahili for a Swahili browser', async () => {
    await renderScreen('/', { language: 'sw' });
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Karibu Patikana');
    expect(document.title).toBe('Vilivyopotea na kuokotwa Tanzania · Patikana');
    expect(document.documentElement.lang).toBe('sw');
  });

  test('a testimonial is shown for 4 seconds, and is blurred during the last 150 ms', async () => {
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

  test('each testimonial has a dot, and a press on the dot shows the testimonial', async () => {
    const carousel = await openCarousel();
    fireEvent.click(within(carousel).getByRole('button', { name: 'Show story 4' }));
    pass(150);
    expect(shownNames(carousel)).toEqual(['Mwalimu Rehema Salum']);
    expect(within(carousel).getByRole('button', { name: 'Show story 4' })).toHaveAttribute('aria-current', 'true');
    expect(within(carousel).getByRole('button', { name: 'Show story 1' })).toHaveAttribute('aria-current', 'false');
    expect(within(carousel).getAllByRole('group')[3]).not.toHaveClass('is-blurred');
  });

  test('pressing the dot of the current testimonial keeps that testimonial, even if another one was about to appear', async () => {
    const carousel = await openCarousel();
    fireEvent.click(within(carousel).getByRole('button', { name: 'Show story 1' }));
    expect(within(carousel).getAllByRole('group')[0]).not.toHaveClass('is-blurred');
    fireEvent.click(within(carousel).getByRole('button', { name: 'Show story 4' }));
    fireEvent.click(within(carousel).getByRole('button', { name: 'Show story 1' }));
    pass(150);
    expect(shownNames(carousel)).toEqual(['Neema Mushi']);
  });

  test('testimonials have labels for screen readers, and are announced only while the carousel is paused', async () => {
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
  ] as const)('the testimonials continue after %s has left the carousel', async (what, enter, leave) => {
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
    ['the pointer is on a testimonial', (carousel: HTMLElement) => fireEvent.pointerEnter(carousel)],
    [
      'the focus is on a dot',
      (carousel: HTMLElement) => fireEvent.focus(within(carousel).getByRole('button', { name: 'Show story 2' })),
    ],
    [
      'the user has pressed “Pause”',
      (carousel: HTMLElement) => fireEvent.click(within(carousel).getByRole('button', { name: 'Pause the stories' })),
    ],
  ])('the testimonials pause while %s', async (_case, hold) => {
    const carousel = await openCarousel();
    hold(carousel);
    pass(20_000);
    expect(shownNames(carousel)).toEqual(['Neema Mushi']);
  });

  test('the testimonials stay paused after the pointer has left them if the focus is still on them', async () => {
    const carousel = await openCarousel();
    fireEvent.focus(within(carousel).getByRole('button', { name: 'Show story 2' }));
    fireEvent.pointerEnter(carousel);
    fireEvent.pointerLeave(carousel);
    pass(3_850);
    pass(150);
    expect(shownNames(carousel)).toEqual(['Neema Mushi']);
  });

  test('paused testimonials continue after a press on “Play”, although pointer and focus are still on them', async () => {
    const carousel = await openCarousel();
    fireEvent.pointerEnter(carousel);
    fireEvent.focus(within(carousel).getByRole('button', { name: 'Pause the stories' }));
    fireEvent.click(within(carousel).getByRole('button', { name: 'Pause the stories' }));
    fireEvent.click(within(carousel).getByRole('button', { name: 'Play the stories' }));
    pass(3_850);
    pass(150);
    expect(shownNames(carousel)).toEqual(['Juma Abdallah']);
  });

  test('if the phone asks for reduced motion, the testimonials move only after a press on “Play”', async () => {
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

  test('the testimonials stop changing when the user switches on reduced motion', async () => {
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

  test('feedback is sent and a message confirms it', async () => {
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

  test('text typed while the feedback is sent is not lost', async () => {
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

  test('if sending feedback fails, an error appears and the form keeps the text', async () => {
    server.use(http.post('*/api/feedback', () => HttpResponse.json({ code: 'internal_error' }, { status: 500 })));
    await writeFeedback();
    expect(
      await screen.findByText('There was an error submitting your feedback. Please try again later.'),
    ).toBeVisible();
    expect(screen.getByLabelText('Message')).toHaveValue('Asante sana');
  });

  test.each([
    ['en', 'Send feedback', 'Email'],
    ['sw', 'Tuma maoni', 'Barua pepe'],
  ] as const)(
    'in the language %s, empty feedback is not sent, and the first empty field gets the focus',
    async (language, button, email) => {
      const { user } = await renderScreen('/', { language });
      await user.click(await screen.findByRole('button', { name: button }));
      const field = await screen.findByLabelText(email);
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      expect(field).toHaveFocus();
    },
  );
});

describe('the home page', () => {
  const NONE = { email: '', socialProfile: '', post: '' };
  afterEach(() => void Object.assign(supportAddresses, NONE));

  test.each([
    ['Report Item', '/create-post', null],
    ['Post what you found', '/create-post', { posted_by: 'finder' }],
    ['Search Lost Items', '/view-posts', null],
    ['Browse the posts', '/view-posts', null],
  ] as const)('the link "%s" opens %s with the navigation state %j', async (name, pathname, state) => {
    server.use(http.get('*/api/*', () => HttpResponse.json([])));
    const { user, router } = await renderScreen('/');
    const link = await screen.findByRole('link', { name });
    expect(link).toHaveAttribute('href', pathname);
    await user.click(link);
    expect(router.state.location).toMatchObject({ pathname, state });
  });

  test.each([
    ['en', 'Found something? Post it.', 'Lost something? Browse the posts.', /^Say what it is/, /^Search by name/],
    ['sw', 'Umeokota kitu? Kitangaze.', 'Umepoteza kitu? Pitia matangazo.', /^Eleza ni kitu gani/, /^Tafuta kwa jina/],
  ] as const)(
    'in the language %s, each list of instructions has three ordered steps, and screen readers skip the step numbers',
    async (language, found, lost, foundFirst, lostFirst) => {
      await renderScreen('/', { language });
      await screen.findByRole('heading', { level: 1 });
      const ways = screen.getAllByRole('article');
      expect(ways).toHaveLength(2);
      for (const [at, title, first] of [
        [0, found, foundFirst],
        [1, lost, lostFirst],
      ] as const) {
        const way = within(ways[at] as HTMLElement);
        const steps = way.getAllByRole('listitem');
        expect(steps.map((step) => step.querySelector('[aria-hidden="true"]')?.textContent)).toEqual(['1', '2', '3']);
        expect(new Set(steps.map(({ textContent }) => textContent)).size).toBe(3);
        expect(way.getByRole('heading', { level: 3, name: title })).toBeInTheDocument();
        expect(steps[0]?.lastElementChild).toHaveTextContent(first);
      }
    },
  );

  test.each([
    ['en', 'A kanga with the saying “Wema hauozi”.', /^Goodness never rots/],
    ['sw', 'Kanga yenye maneno “Wema hauozi”.', /^Wema hauozi: ujumbe/],
  ] as const)('in the language %s, the home page’s picture has alternative text', async (language, name, meaning) => {
    await renderScreen('/', { language });
    expect(await screen.findByRole('img', { name })).toBeInTheDocument();
    expect(screen.getByRole('figure')).toHaveTextContent(meaning);
  });

  test('the footer shows the configured contact addresses and a safety warning', async () => {
    Object.assign(supportAddresses, { email: 'help@patikana.test', socialProfile: 'https://social.test/patikana' });
    await renderScreen('/');
    const foot = within(await screen.findByRole('contentinfo'));
    expect(foot.getByRole('link', { name: 'help@patikana.test' })).toHaveAttribute('href', 'mailto:help@patikana.test');
    const social = foot.getByRole('link', { name: 'Follow Patikana on social media' });
    expect(social).toHaveAttribute('href', 'https://social.test/patikana');
    expect(social).toHaveAttribute('target', '_blank');
    expect(social).toHaveAttribute('rel', 'noopener noreferrer');
    expect(foot.getByText(/^Meet in a public place/)).toBeInTheDocument();
    expect(foot.getByText(/^Made in Tanzania/)).toBeInTheDocument();
    for (const name of ['Tell us what you think', 'Contact us'])
      expect(foot.getByRole('heading', { level: 2, name })).toBeInTheDocument();
    for (const name of ['Terms of use', 'Privacy'])
      expect(foot.getByRole('link', { name })).not.toHaveAttribute('target');
  });

  test('the footer omits contact addresses that are not configured', async () => {
    await renderScreen('/');
    const foot = within(await screen.findByRole('contentinfo'));
    expect(foot.getByText(/^Meet in a public place/)).toBeInTheDocument();
    expect(foot.queryByRole('heading', { name: 'Contact us' })).toBeNull();
    expect(foot.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Terms of use', 'Privacy']);
  });
});
