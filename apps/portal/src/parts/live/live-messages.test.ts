import { expect, test } from 'vitest'
import { readMessage } from './live-messages.ts'

test.each([
  { op: 'ready' },
  { op: 'pong' },
  { op: 'error', code: 'live.token', message: 'The token has expired.' },
  { op: 'sub', id: 1, ok: true },
  { op: 'values', v: [[1, 'temperature', 1_764_000_000_000, 21.5, null]] },
  { op: 'status', id: 2, device: 'press', connected: true, at: null },
  { op: 'frame', id: 3, direction: 'in' },
  { op: 'end', id: 4, code: 'live.forbidden' },
])('a message of the kind $op is read as it is', (message) => {
  expect(readMessage(JSON.stringify(message))).toEqual(message)
})

test.each([
  'null',
  '7',
  '{}',
  '{"op":"later"}',
  '{"op":"toString"}',
  '{"op":"sub","id":"1","ok":true}',
  '{"op":"values","v":[[1,"path"]]}',
  '{"op":"status","id":1,"device":"press","connected":true}',
])('%s is no message', (text) => {
  expect(readMessage(text)).toBeUndefined()
})
