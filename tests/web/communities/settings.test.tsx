import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { noteSteps, refuseWith, SCHOOL, STATS, serveOwn, serveSchool } from '#tests/web/support/communities.ts';
import { holdTime, stubShare } from '#tests/web/support/phone.ts';
import { serveList } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

describe('a community’s settings', () => {
  const open = (path = '/community-details/school?tab=settings') => renderScreen(path, { isSignedIn: true });
  const nameField = () => screen.findByRole('textbox', { name: 'Community name' });

  beforeEach(() => {
    serveSchool();
    serveOwn([SCHOOL]);
    serveList('/posts', []);
  });

  test('the form shows the community’s current name with a hint, and the message “Saved.” after a press on “Save”', async () => {
    const steps = noteSteps(() => HttpResponse.json(SCHOOL));
    const { user } = await open();
    expect(await nameField()).toHaveValue(SCHOOL.name);
    expect(await nameField()).toHaveAccessibleDescription(/^For example the name of a school/);
    expect(screen.queryByText(/waits for approval/)).toBeNull();
    const listed = screen.getByRole('checkbox', { name: 'People can find it by name' });
    expect(listed).toBeChecked();
    expect(listed).toHaveAccessibleDescription(/^Anyone who is logged in can find the community/);
    await user.type(screen.getByRole('textbox', { name: /^Description/ }), ' wa darasa la pili');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Saved.')).toBeInTheDocument();
    expect(steps).toEqual([['PATCH', '', { description: 'Wazazi na walimu wa darasa la pili' }]]);
  });

  test('for a community that is not yet approved, the form does not say that a new name needs an approval', async () => {
    serveSchool({ approval_status: 0 });
    const { user } = await open();
    await user.type(await nameField(), ' Juu');
    expect(screen.queryByText(/We check every new name/)).toBeNull();
  });

  test('the form shows a new name that waits for approval, so that the admin edits the latest name', async () => {
    serveSchool({ pending_name: 'Shule ya Mbezi Juu' });
    await open();
    expect(await nameField()).toHaveValue('Shule ya Mbezi Juu');
    expect(await nameField()).toHaveAccessibleDescription(/^We check every new name/);
  });

  test('the server’s error about the name is shown at the name field, and the lack of a response is shown in an alert', async () => {
    const errors = [{ field: 'name', message: 'Jina hili limechukuliwa.' }];
    server.use(http.patch('*/api/communities/school', refuseWith(422, { code: 'validation_failed', errors })));
    const { user } = await open();
    const name = await nameField();
    await user.type(name, ' Juu{Enter}');
    await waitFor(() => expect(name).toHaveAccessibleDescription(expect.stringContaining('Jina hili limechukuliwa.')));
    expect(name).toHaveFocus();
    server.use(http.patch('*/api/communities/school', () => HttpResponse.error()));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('There was no answer.'));
    await user.clear(name);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(name).toHaveAccessibleDescription(expect.stringContaining('Community name is required'));
  });

  test('a second submit while the changes are being saved does not send the changes again', async () => {
    const answered = Promise.withResolvers<void>();
    let count = 0;
    server.use(
      http.patch('*/api/communities/school', async () => {
        count++;
        await answered.promise;
        return HttpResponse.json(SCHOOL);
      }),
    );
    const { user } = await open();
    const name = (await nameField()) as HTMLInputElement;
    await user.type(name, ' Juu{Enter}');
    name.form?.requestSubmit();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'true');
    answered.resolve();
    await screen.findByText('Saved.');
    expect(count).toBe(1);
  });

  test('another admin’s change appears in the form, and saving another field does not revert it', async () => {
    const steps = noteSteps(() => HttpResponse.json({ access_code: 'NEWCQDE234' }));
    const { user } = await open();
    const name = await nameField();
    await user.type(name, ' Juu');
    serveSchool({ description: 'Vitu vilivyopotea shuleni.' });
    await user.click(screen.getByRole('button', { name: 'Make a new one' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make a new one' }));
    expect(await screen.findByDisplayValue('Vitu vilivyopotea shuleni.')).toBeInTheDocument();
    expect(name).toHaveValue(`${SCHOOL.name} Juu`);
    await user.click(screen.getByRole('checkbox', { name: 'People can find it by name' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(steps.at(-1)).toEqual(['PATCH', '', { name: `${SCHOOL.name} Juu`, is_listed: false }]));
  });

  test('making a new access code shows a message, and the dialog to close the community can be cancelled', async () => {
    const steps = noteSteps(() => HttpResponse.json({ access_code: 'NEWCQDE234' }));
    const { user } = await open();
    expect(await screen.findByRole('region', { name: 'Access code' })).toHaveTextContent(/make a new one/);
    await user.click(screen.getByRole('button', { name: 'Make a new one' }));
    expect(screen.getByRole('dialog')).not.toHaveTextContent(/has been removed/);
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make a new one' }));
    expect(await screen.findByText(/^The access code is new/)).toBeInTheDocument();
    const ending = within(screen.getByRole('region', { name: 'Leave or close' }));
    await user.click(ending.getByRole('button', { name: 'Close the community' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(ending.getByText(/hand it over under Members/)).toBeInTheDocument();
    expect(steps).toEqual([['POST', '/access-code']]);
  });

  test('closing the community shows a message, and a failure is shown in the dialog', async () => {
    server.use(
      http.delete('*/api/communities/school', refuseWith(409, { detail: 'Inafungwa tayari.' }), { once: true }),
    );
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Close the community' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Close it' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Inafungwa tayari.');
    noteSteps(() => HttpResponse.json({ closes_at: '2026-11-29T09:00:00.000Z' }, { status: 202 }));
    await user.click(dialog.getByRole('button', { name: 'Close it' }));
    expect(
      await screen.findByText(`“${SCHOOL.name}” closes in seven days. Until then you can keep it open.`),
    ).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test.each([
    [3, ['Neema', 'Salma'], 'Leave', `You have left “${SCHOOL.name}”.`, '/communities'],
    [
      1,
      ['Neema'],
      'Close it',
      `“${SCHOOL.name}” closes in seven days. Until then you can keep it open.`,
      '/communities/school',
    ],
  ] as const)(
    'leaving a community shows a message, and opens the list of communities unless the user is the only member (members: %i)',
    async (count, admins, action, said, path) => {
      serveSchool({ member_count: count, admins: [...admins] });
      noteSteps(() =>
        count === 1
          ? HttpResponse.json({ closes_at: '2026-11-29T09:00:00.000Z' }, { status: 202 })
          : new HttpResponse(null, { status: 204 }),
      );
      const { user, router } = await open('/communities/school');
      await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
      await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: action }));
      expect(await screen.findByText(said)).toBeInTheDocument();
      await waitFor(() => expect(router.state.location.pathname).toBe(path));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );

  test('if an admin loses the role, the next action on the page shows that the page is for admins only', async () => {
    server.use(http.post('*/api/communities/school/access-code', refuseWith(409, { detail: 'Umechelewa.' })));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Make a new one' }));
    serveSchool({ member_role: 'member', access_code: undefined as never });
    server.use(http.post('*/api/communities/school/access-code', refuseWith(403, { detail: 'Huruhusiwi.' })));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make a new one' }));
    expect(await screen.findByText('Only the admins of this community can see this page.')).toBeInTheDocument();
  });
});

describe('the access code', () => {
  const open = (language: 'en' | 'sw' = 'en') =>
    renderScreen('/community-details/school', { isSignedIn: true, language });

  beforeEach(() => {
    serveSchool();
    server.use(http.get('*/api/communities/school/stats', () => HttpResponse.json(STATS)));
  });

  /** Records the windows that the app opens. */
  function watchWindows() {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    onTestFinished(() => opened.mockRestore());
    return opened;
  }

  test.each([
    [
      'en',
      'Access Settings',
      'Access code',
      /Anyone who has this access code can join/,
      /once the community has been approved/,
    ],
    ['sw', 'Mipangilio ya Kujiunga', 'Msimbo wa kujiunga', /Yeyote mwenye msimbo huu anaweza/, /itakapoidhinishwa/],
  ] as const)(
    'is shown with an explanation in the language %s, and a tap selects the whole access code',
    async (language, title, label, lets, waits) => {
      const approved = await open(language);
      expect(await screen.findByRole('region', { name: title })).toHaveTextContent(lets);
      const code = screen.getByRole<HTMLInputElement>('textbox', { name: label });
      expect(code).toHaveAttribute('dir', 'ltr');
      await approved.user.click(code);
      expect([code.selectionStart, code.selectionEnd]).toEqual([0, 10]);
      approved.unmount();
      serveSchool({ approval_status: 0 });
      const waiting = await open(language);
      await waitFor(() => expect(screen.getByRole('region', { name: title })).toHaveTextContent(waits));
      expect(screen.getByRole('region', { name: title })).not.toHaveTextContent(lets);
      waiting.unmount();
    },
  );

  test('has a button “Copy”, which shows “Copied” for two seconds after a press', async () => {
    const { user } = await open();
    const label = await screen.findByText('Copy');
    expect(label).toHaveAttribute('aria-live', 'polite');
    holdTime();
    await user.click(label);
    await waitFor(() => expect(label).toHaveTextContent('Copied'));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(label).toHaveTextContent('Copied');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(label).toHaveTextContent(/^Copy$/);
  });

  test('if the browser refuses to copy the access code, a message asks the user to select the access code', async () => {
    const { user } = await open();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByText(/The access code could not be copied. Select it/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Copy' })).toBeInTheDocument();
  });

  test('is shared by WhatsApp on a phone without a share dialog', async () => {
    stubShare(undefined);
    const opened = watchWindows();
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const text = `Join “${SCHOOL.name}” on Patikana: http://localhost:8787/communities?join=ABCDE23456`;
    expect(opened.mock.calls).toEqual([[`https://wa.me/?text=${encodeURIComponent(text)}`, '_blank', 'noopener']]);
  });

  test('is not shared by WhatsApp if the user cancels the phone’s share dialog, and no error appears', async () => {
    stubShare(() => Promise.reject(new DOMException('', 'AbortError')));
    const opened = watchWindows();
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(opened).not.toHaveBeenCalled();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('has a button “Generate QR”, which is busy and ignores presses while the picture is generated', async () => {
    const made = Promise.withResolvers<void>();
    let asked = 0;
    server.use(
      http.get('*/api/communities/school/qrcode/base64', async () => {
        asked++;
        await made.promise;
        return HttpResponse.json({ qr_code: 'iVBORw0KGgo=' });
      }),
    );
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Generate QR' }));
    const button = await screen.findByRole('button', { name: 'Generating…' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.click(button);
    made.resolve();
    expect(await screen.findByRole('img', { name: `QR code to join ${SCHOOL.name}` })).toBeInTheDocument();
    expect(asked).toBe(1);
    expect(screen.getByRole('button', { name: 'Generate QR' })).toBeInTheDocument();
  });

  test('is still shown if the statistics fail to load, together with an error', async () => {
    server.use(http.get('*/api/communities/school/stats', refuseWith(404, {})));
    const { user } = await open();
    expect(await screen.findByRole('alert')).toHaveTextContent('The statistics could not be loaded.');
    expect(screen.getByRole('textbox', { name: 'Access code' })).toHaveValue('ABCDE23456');
    server.use(http.get('*/api/communities/school/stats', () => HttpResponse.json(STATS)));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Recent (7d)')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
