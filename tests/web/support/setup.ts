import './prepare-browser.ts';
import { onlineManager } from '@tanstack/react-query';
import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { queryClient } from '#web/api/queries.ts';
import { signOut } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { noteServerTime } from '#web/lib/server-time.ts';
import { resetPackages } from './packages.ts';
import { server } from './server.ts';

const NAMED =
  'a, button, input, select, textarea, dialog, progress, nav, [role=group], [role=tablist], [role=tabpanel], [role=img]';
const DRAWN = 'svg, canvas';
const SKELETON = '.skeleton';
const REFERENCES = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'];

/** Checks the accessibility rules for every page, whatever the test is about. */
function checkAccessible(page: ParentNode): void {
  for (const element of page.querySelectorAll(NAMED)) expect(element).toHaveAccessibleName();
  for (const link of page.querySelectorAll('a')) expect(link).toHaveAttribute('href');
  for (const drawing of page.querySelectorAll(DRAWN)) {
    if (!drawing.matches('[role=img]')) expect(drawing).toHaveAttribute('aria-hidden', 'true');
  }
  // Content that has not loaded is either omitted or marked as loading.
  for (const bar of page.querySelectorAll(SKELETON)) {
    expect(bar.closest('[aria-busy=true], [aria-hidden=true]'), bar.outerHTML).not.toBeNull();
  }
  for (const reference of REFERENCES) checkReferences(page, reference);
}

function checkReferences(page: ParentNode, attribute: string): void {
  for (const element of page.querySelectorAll(`[${attribute}]`)) {
    const ids = element.getAttribute(attribute)?.split(' ') ?? [];
    const missing = ids.filter((id) => !document.getElementById(id));
    expect(missing, `${attribute} of ${element.outerHTML}`).toEqual([]);
  }
}

export { server };

// This setup runs for every test file. The files share the browser, the app's modules and the mock server, so what one
// test leaves behind affects the next test.
const properties = new Set(Object.getOwnPropertyNames(navigator));
let complaints: MockInstance<typeof console.error>;

// The spy starts again before each test, because `vi.restoreAllMocks()` ends the spy of the previous test.
beforeEach(() => {
  complaints = vi.spyOn(console, 'error').mockClear();
});
afterEach(async () => {
  checkAccessible(document);
  cleanup();
  signOut();
  queryClient.clear();
  onlineManager.setOnline(true);
  localStorage.clear();
  sessionStorage.clear();
  server.resetHandlers();
  resetPackages();
  noteServerTime(new Headers({ Date: new Date().toISOString() }));
  expect(complaints).not.toHaveBeenCalled();
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.getOwnPropertyNames(navigator)) {
    if (!properties.has(name)) Reflect.deleteProperty(navigator, name);
  }
  await changeLanguage('en');
  window.history.replaceState(null, '', '/');
  document.body.replaceChildren();
});
