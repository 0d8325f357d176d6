import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ErrorCode } from '#contract/error-codes.ts';
import { MODERATION_REASON_MAX_CHARS, REPORT_TEXT_MAX_CHARS } from '#contract/limits.ts';
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { ReportDialog } from '#web/ui/report-dialog.tsx';
import { leaveHttps } from './support/phone.ts';
import { startUser } from './support/user.ts';

beforeEach(async () => {
  await changeLanguage('en');
});

const WORDS = {
  title: 'Report it',
  question: 'What is wrong?',
  thanks: 'Thank you.',
  known: 'You have done so already.',
};
type Send = (input: { reason: string; text: string }, key: string) => Promise<unknown>;

function openReport(send: Send = async () => undefined) {
  const onClose = vi.fn();
  const sending = vi.fn(send);
  render(
    <QueryClientProvider client={queryClient}>
      <ReportDialog words={WORDS} about="Nimeokota pochi" send={sending} onClose={onClose} />
    </QueryClientProvider>,
  );
  const user = startUser();
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  return { user, press, sending, onClose };
}

test('a report can be made of a page without HTTPS', () => {
  leaveHttps();
  openReport();
  expect(screen.getByRole('dialog', { name: 'Report it' })).toBeInTheDocument();
});

test('a report asks which of five things is wrong, and about what', async () => {
  const { user, press, sending } = openReport();
  expect(screen.getByRole('dialog', { name: 'Report it' })).toBeInTheDocument();
  expect(screen.getByText('Nimeokota pochi')).toHaveAttribute('dir', 'auto');
  const group = screen.getByRole('group', { name: 'What is wrong?' });
  expect(group).not.toHaveAttribute('aria-describedby');
  const choices = screen.getAllByRole('radio');
  expect(choices.map((choice) => (choice as HTMLInputElement).value)).toEqual([...REPORT_REASONS]);
  for (const choice of choices) expect(choice).not.toBeChecked();
  await press('Send the report');
  expect(group).toHaveAccessibleDescription('Say what is wrong with this post.');
  expect(sending).not.toHaveBeenCalled();
  await user.click(choices[1] as HTMLElement);
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(choices[4] as HTMLElement);
  expect(choices.map((choice) => (choice as HTMLInputElement).checked)).toEqual([false, false, false, false, true]);
  const more = screen.getByRole('textbox', { name: 'Say more (optional)' });
  expect(more).toHaveAttribute('maxlength', `${REPORT_TEXT_MAX_CHARS}`);
  expect(screen.getByText(/^The admins read your report/)).toBeInTheDocument();
  await press('Send the report');
  await waitFor(() =>
    expect(sending).toHaveBeenCalledExactlyOnceWith({ reason: 'other', text: '' }, expect.any(String)),
  );
});

test('a report that was sent is thanked for, and closed by either button', async () => {
  const { user, press, onClose } = openReport();
  await user.click(screen.getAllByRole('radio')[0] as HTMLElement);
  await press('Send the report');
  expect(await screen.findByText('Thank you.')).toBeInTheDocument();
  expect(screen.queryByRole('radio')).toBeNull();
  for (const button of screen.getAllByRole('button', { name: 'Close' })) await user.click(button);
  expect(onClose).toHaveBeenCalledTimes(2);
});

test('whoever thinks better of it sends nothing', async () => {
  const { press, sending, onClose } = openReport();
  await press('Cancel');
  expect(onClose).toHaveBeenCalledOnce();
  expect(sending).not.toHaveBeenCalled();
});

const failure = (status: number, code: ErrorCode | null, detail?: string) =>
  new ApiError(status, { ...(code && { code }), ...(detail && { detail }) });

test.each([
  [409, 'already_reported', undefined, 'You have done so already.', true],
  [429, 'too_many_requests', 'Too many.', /^You have reported as many posts as one person can/, false],
  [0, null, undefined, /^There was no answer/, false],
  [404, 'post_not_found', 'It is gone.', 'It is gone.', false],
  [500, 'internal_error', undefined, /^The report could not be sent/, false],
] as const)('what %i %s means is said', async (status, code, detail, text, isOver) => {
  const { user, press } = openReport(async () => Promise.reject(failure(status, code, detail)));
  await user.click(screen.getAllByRole('radio')[0] as HTMLElement);
  await press('Send the report');
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryAllByRole('radio')).toHaveLength(isOver ? 0 : 5);
});

test('a report that fails for no known reason says that it was not sent', async () => {
  const { user, press } = openReport(async () => Promise.reject(new TypeError('oh')));
  await user.click(screen.getAllByRole('radio')[0] as HTMLElement);
  await press('Send the report');
  expect(await screen.findByRole('alert')).toHaveTextContent('The report could not be sent. Please try again.');
});

function openReason({ problem = null as string | null, isBusy = false, initial = '' } = {}) {
  const seen = { onSubmit: vi.fn(), onClose: vi.fn() };
  render(
    <ReasonDialog
      title="Hide the post"
      text="Its author reads the reason."
      label="Reason"
      hint="In whole sentences."
      action="Hide"
      initial={initial}
      problem={problem}
      isBusy={isBusy}
      {...seen}
    />,
  );
  const user = startUser();
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  return { ...seen, user, press, field: screen.getByRole('textbox', { name: 'Reason' }) };
}

test('a reason is asked for, and given as it was written', async () => {
  const { user, press, field, onSubmit, onClose } = openReason();
  expect(screen.getByRole('dialog', { name: 'Hide the post' })).toHaveTextContent('Its author reads the reason.');
  expect(field).toHaveAccessibleDescription('In whole sentences.');
  expect(field).toHaveAttribute('maxlength', `${MODERATION_REASON_MAX_CHARS}`);
  expect(screen.queryByRole('alert')).toBeNull();
  await press('Hide');
  expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(onSubmit).not.toHaveBeenCalled();
  await user.type(field, 'Namba ya mtu mwingine');
  await press('Hide');
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith('Namba ya mtu mwingine');
  await press('Cancel');
  await press('Close');
  expect(onClose).toHaveBeenCalledTimes(2);
});

test('a reason that is there already can be kept, and what went wrong is said', async () => {
  const { press, field, onSubmit } = openReason({ initial: 'Ondoa namba', problem: 'It is no longer there.' });
  expect(field).toHaveValue('Ondoa namba');
  expect(screen.getByRole('alert')).toHaveTextContent('It is no longer there.');
  await press('Hide');
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith('Ondoa namba');
});

test('while a reason is being sent it is not sent again', async () => {
  const { press, onSubmit } = openReason({ initial: 'Ondoa namba', isBusy: true });
  await press('Hide');
  expect(onSubmit).not.toHaveBeenCalled();
});
