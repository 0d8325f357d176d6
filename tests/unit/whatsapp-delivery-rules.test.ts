import { expect, test } from 'vitest';
import { readReports } from '#worker/whatsapp/delivery-rules.ts';

function payload(statuses: unknown[]): unknown {
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value: { statuses } }] }],
  };
}

test('of several reports on one message the most advanced counts', () => {
  const reports = readReports(
    payload([
      { id: 'wamid.1', status: 'delivered' },
      { id: 'wamid.1', status: 'sent' },
      { id: 'wamid.2', status: 'failed', errors: [{ code: 131026, title: 'Message undeliverable' }] },
      { id: 'wamid.3', status: 'sent', errors: [] },
      { id: 'wamid.4', status: 'read' },
    ]),
  );
  expect(reports).toEqual([
    { wamid: 'wamid.1', status: 'delivered', rank: 2, errorCode: null },
    { wamid: 'wamid.2', status: 'failed', rank: 1, errorCode: 131026 },
    { wamid: 'wamid.3', status: 'sent', rank: 0, errorCode: null },
    { wamid: 'wamid.4', status: 'read', rank: 3, errorCode: null },
  ]);
});

test('anything that is not a report is ignored', () => {
  expect(readReports(payload([{ id: 'wamid.1', status: 'warning' }, 'x', null, { status: 'sent' }]))).toEqual([]);
  expect(readReports({ entry: [{ changes: [{ value: { messages: [{ from: '255' }] } }] }] })).toEqual([]);
  expect(readReports(payload(['', 'x'.repeat(257)].map((id) => ({ id, status: 'sent' }))))).toEqual([]);
  expect(readReports(payload([{ id: 'x'.repeat(256), status: 'sent' }]))).toHaveLength(1);
  expect(readReports(null)).toEqual([]);
  expect(readReports({ entry: 'x' })).toEqual([]);
});
