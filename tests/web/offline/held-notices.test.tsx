import { render, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { matchMessage, rejectionMessage, renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { OfflineBars } from '#web/offline/offline-bars.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';

// jsdom has no canvas for confetti.
vi.mock('canvas-confetti', () => ({
  default: { create: () => Object.assign(() => undefined, { reset: () => undefined }) },
}));

const schema = z.object({ title: z.string() });
const MATCH = 'A Matching Post Found!';
const REJECTION = 'Your community was not approved';

function Form() {
  const { form, field } = useForm({ schema, initial: { title: '' } });
  return (
    <form ref={form}>
      <TextField label="Title" {...field('title')} />
    </form>
  );
}

/** Fills in part of a form, then receives a notice. */
async function openFormWithNews(language: 'en' | 'sw' = 'en') {
  const { heard, push } = serveLive();
  const view = await renderLive({ language });
  const form = render(<Form />);
  render(<OfflineBars />);
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  const field = screen.getByLabelText('Title');
  await view.user.type(field, 'Pochi');
  push(matchMessage);
  return { ...view, push, form, field };
}

const bar = () => within(screen.getAllByRole('status').at(-1) as HTMLElement);
const showNow = () => bar().getByRole('button', { name: 'Show now' });

test.each([
  ['en', '1 notice is waiting.', '2 notices are waiting.', 'Show now', MATCH],
  ['sw', 'Arifa 1 inasubiri.', 'Arifa 2 zinasubiri.', 'Onyesha sasa', 'Tangazo Linalofanana Limepatikana!'],
] as const)(
  'a notice that arrives during a form waits with a bar in %s, and is shown on request',
  async (language, one, two, show, title) => {
    const { user, push, field } = await openFormWithNews(language);
    expect(await screen.findByText(one)).toBeInTheDocument();
    push(rejectionMessage);
    expect(await screen.findByText(two)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
    const button = screen.getByRole('button', { name: show });
    await user.click(button);
    // A tap leaves the focus in the form, which gets it back at the end.
    expect(button).not.toHaveFocus();
    expect(await screen.findByRole('dialog', { name: title })).toBeInTheDocument();
    expect(field).toHaveValue('Pochi');
    expect(screen.queryByText(two)).toBeNull();
    expect(screen.queryByText(one)).toBeNull();
  },
);

test('showing the waiting notices shows all of them, and later ones wait again', async () => {
  const { user, push } = await openFormWithNews();
  await screen.findByText('1 notice is waiting.');
  push(rejectionMessage);
  await screen.findByText('2 notices are waiting.');
  await user.click(showNow());
  for (const name of [MATCH, REJECTION]) {
    const dialog = within(await screen.findByRole('dialog', { name }));
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  }
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  push({ ...matchMessage, id: 'notice-3', pair_id: 'pair-3' });
  expect(await screen.findByText('1 notice is waiting.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['is left', ({ form }: Opened) => form.unmount()],
  ['is empty again', ({ user, field }: Opened) => user.clear(field)],
])('once the form %s, the waiting notices are shown', async (_how, end) => {
  const opened = await openFormWithNews();
  await screen.findByText('1 notice is waiting.');
  await end(opened);
  expect(await screen.findByRole('dialog', { name: MATCH })).toBeInTheDocument();
  expect(screen.queryByText('1 notice is waiting.')).toBeNull();
});

type Opened = Awaited<ReturnType<typeof openFormWithNews>>;

test('above a form, an open dialog holds the notices and says so alone', async () => {
  await openFormWithNews();
  await screen.findByText('1 notice is waiting.');
  const dialog = render(
    <Dialog title="A question" onClose={() => undefined}>
      <p>Sure?</p>
    </Dialog>,
  );
  const held = '1 notice is waiting until you close this.';
  expect(await within(screen.getByRole('dialog')).findByText(held)).toBeInTheDocument();
  expect(screen.queryByText('1 notice is waiting.')).toBeNull();
  dialog.unmount();
  expect(await screen.findByText('1 notice is waiting.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
});
