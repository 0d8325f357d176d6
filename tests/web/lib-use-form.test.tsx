import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from '#web/lib/api-client.ts';
import { areNoticesHeld } from '#web/lib/held-notices.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import './support/setup.ts';
import { startUser } from './support/user.ts';

const schema = z.object({
  title: z.string().check(z.minLength(1, 'title_required'), z.maxLength(10, 'text_too_long')),
  place: z.string().check(z.minLength(3, 'location_required'), z.regex(/^[A-Z]/)),
  open: z.boolean(),
});

type Values = { title: string; place: string; open: boolean };
/** What the server has against it, and who is told of what is beside no field. */
type Answer = { error?: unknown; onUnplaced?: () => void };

function Form({ onSend, answer = {} }: { onSend: (values: Values) => void; answer?: Answer }) {
  const { form, field, submit, set, values, showServerErrors } = useForm<Values>({
    schema,
    initial: { title: '', place: '', open: false },
    complete: (typed) => ({ ...typed, place: typed.place || (typed.title === 'Ziwa' ? 'Mwanza' : '') }),
    check: ({ title, place }) => (title !== '' && title === place ? { place: 'The two are alike.' } : {}),
  });
  const send = submit((valid) => {
    onSend(valid);
    if (answer.error && !showServerErrors(answer.error)) answer.onUnplaced?.();
  });
  return (
    <form ref={form} onSubmit={send} noValidate>
      <TextField label="Title" {...field('title')} />
      <TextField label="Place" {...field('place')} />
      <Checkbox label="Open" checked={values.open} onChange={({ target }) => set('open', target.checked)} />
      <button type="submit">Send</button>
    </form>
  );
}

function open(answer?: Answer) {
  const sent: Values[] = [];
  const view = render(<Form onSend={(values) => sent.push(values)} {...(answer && { answer })} />);
  const user = startUser();
  const press = () => user.click(screen.getByRole('button', { name: 'Send' }));
  return { ...view, user, sent, press, title: screen.getByLabelText('Title'), place: screen.getByLabelText('Place') };
}

const isWrong = (field: HTMLElement) => field.getAttribute('aria-invalid') === 'true';

beforeEach(async () => {
  await changeLanguage('en');
});

test('a field is found wanting once it was left with something in it, and then with every letter', async () => {
  const { user, title, place } = open();
  await user.type(place, 'Mo');
  expect(isWrong(place)).toBe(false);
  await user.tab();
  expect(place).toHaveAccessibleDescription('Location is required');
  await user.type(place, 's');
  expect(isWrong(place)).toBe(false);
  await user.clear(place);
  expect(place).toHaveAccessibleDescription('Location is required');
  // Left empty, the other is not yet found wanting.
  await user.click(title);
  await user.tab();
  expect(isWrong(title)).toBe(false);
});

test('a form that is sent with mistakes says all of them, and leads to the first', async () => {
  const { user, title, place, press, sent } = open();
  await press();
  expect(title).toHaveFocus();
  expect(title).toHaveAccessibleDescription('Title is required');
  expect(place).toHaveAccessibleDescription('Location is required');
  await user.type(title, 'Pochi');
  await press();
  expect(place).toHaveFocus();
  expect(sent).toEqual([]);
});

test.each([
  ['en', 'This is too long: at most 10 characters.', 'This must be text.'],
  ['sw', 'Maandishi ni marefu mno: yasizidi herufi 10.', 'Hapa panahitajika maandishi.'],
] as const)(
  'a limit is named, and what has no words of its own is said generally, in %s',
  async (language, limit, general) => {
    await changeLanguage(language);
    const { user, title, place } = open();
    await user.type(title, 'Pochi nyeusi');
    await user.type(place, 'moshi');
    await user.tab();
    expect(title).toHaveAccessibleDescription(limit);
    expect(place).toHaveAccessibleDescription(general);
  },
);

test('what is right is sent, with what the form can tell by itself', async () => {
  const { user, title, place, press, sent } = open();
  await user.type(title, 'Ziwa');
  expect(place).toHaveValue('Mwanza');
  await user.click(screen.getByLabelText('Open'));
  await press();
  expect(sent).toEqual([{ title: 'Ziwa', place: 'Mwanza', open: true }]);
});

test('more than the schema can say is said beside its field, which is not sent', async () => {
  const { user, title, place, press, sent } = open();
  await user.type(title, 'Moshi');
  await user.type(place, 'Moshi');
  await press();
  expect(place).toHaveFocus();
  expect(place).toHaveAccessibleDescription('The two are alike.');
  expect(isWrong(title)).toBe(false);
  expect(sent).toEqual([]);
});

test('what the server found wrong stands beside its field until that is changed, or the form is sent again', async () => {
  const errors = [
    { field: 'place', message: 'No such place.' },
    { field: 'title', message: 'No such thing.' },
  ];
  const onUnplaced = vi.fn();
  const answer: Answer = { onUnplaced, error: new ApiError(422, { code: 'validation_failed', errors }) };
  const { user, title, place, press } = open(answer);
  await user.type(title, 'Pochi');
  await user.type(place, 'Moshi');
  await press();
  expect(title).toHaveFocus();
  expect([title, place].map(isWrong)).toEqual([true, true]);
  expect(place).toHaveAccessibleDescription('No such place.');
  expect(onUnplaced).not.toHaveBeenCalled();
  await user.type(title, 's');
  expect([title, place].map(isWrong)).toEqual([false, true]);
  delete answer.error;
  await press();
  expect(isWrong(place)).toBe(false);
});

test.each([
  ['is of no field', new ApiError(500, {})],
  ['is none of the server’s', new Error('x')],
])('a failure that %s is left to the form', async (_what, error) => {
  const onUnplaced = vi.fn();
  const { user, title, place, press } = open({ error, onUnplaced });
  await user.type(title, 'Pochi');
  await user.type(place, 'Moshi');
  await press();
  expect(onUnplaced).toHaveBeenCalledOnce();
  expect([title, place].map(isWrong)).toEqual([false, false]);
});

test('notices wait while something is typed, and come with the empty form or without it', async () => {
  const { user, title, unmount } = open();
  expect(areNoticesHeld()).toBe(false);
  await user.type(title, 'P');
  expect(areNoticesHeld()).toBe(true);
  await user.clear(title);
  expect(areNoticesHeld()).toBe(false);
  await user.click(screen.getByLabelText('Open'));
  expect(areNoticesHeld()).toBe(true);
  unmount();
  expect(areNoticesHeld()).toBe(false);
});
