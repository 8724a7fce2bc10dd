import { decodePayload } from '@longreach/device-protocol/payload'
import { readConfiguration } from '@longreach/device-protocol/read-configuration'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Entry } from './outbox-file.ts'
import { createValueSender } from './sender.ts'
import { badReading, createTagTable, goodReading, type Reading, uncertainReading } from './tags.ts'

const changes = { triggers: [{ type: 'onchange', deadband: 0.5, minIntervalMs: 0 }] }
const timer = { triggers: [{ type: 'timer', intervalMs: 1_000 }] }
const leaf = (type: string, source: string, sendPolicy: object, more: object = {}) => ({
  type,
  mode: 'R',
  sendPolicy,
  datalink: { source },
  mapping: { device_endpoint: `/com.exor.a/u/0/${source}` },
  ...more,
})

function started(properties: object) {
  const text = JSON.stringify({
    type: 'datamodel',
    properties: {
      M: {
        UUID: 'u',
        type: 'object',
        instanceOf: 'M:1.0.0',
        policies: {},
        interfaces: [],
        properties,
      },
    },
  })
  const configuration = readConfiguration(text)
  const table = createTagTable()
  const sender = createValueSender(configuration, table, pino({ level: 'silent' }))
  return {
    configuration,
    table,
    sender,
    accept(readings: Reading[]) {
      table.accept(readings)
      return shown(sender.accept(readings))
    },
  }
}
const shown = (entries: readonly Entry[]) =>
  entries.map(({ path, payload }) => {
    const { v, t } = decodePayload(payload) as { v: unknown; t: number }
    return [path, v, t]
  })

test('changes within the deadband are not sent, and the time is the one of the source', () => {
  const { accept } = started({ a: leaf('double', 'a', changes) })
  expect(accept([goodReading('a', 20, 1_000)])).toEqual([['M:1/a', 20, 1_000]])
  expect(accept([goodReading('a', 20.4, 2_000)])).toEqual([])
  expect(accept([goodReading('a', 20.6, 3_000)])).toEqual([['M:1/a', 20.6, 3_000]])
  expect(accept([goodReading('other', 1, 4_000)])).toEqual([])
})

test('while a tag is bad nothing is sent or repeated for it', () => {
  const { accept, sender } = started({ a: leaf('double', 'a', timer) })
  accept([goodReading('a', 20, 10_000)])
  expect(shown(sender.due(11_000))).toEqual([['M:1/a', 20, 10_000]])
  expect(shown(sender.due(12_000))).toEqual([['M:1/a', 20, 12_000]])
  expect(accept([badReading('a', 'no connection', 12_500)])).toEqual([])
  expect(sender.due(13_000)).toEqual([])
  accept([goodReading('a', 21, 13_500)])
  expect(shown(sender.due(14_000))).toEqual([['M:1/a', 21, 13_500]])
})

test('several readings of one tag that come together are each offered', () => {
  const { accept } = started({ a: leaf('integer', 'a', changes) })
  const readings = [1, 2, 3].map((value) => goodReading('a', value, value))
  expect(accept(readings).map(([, v]) => v)).toEqual([1, 2, 3])
})

test('a struct is sent when all of its fields are known', () => {
  const point = {
    ...leaf('struct', '', changes, { instanceOf: 'P:1.0.0' }),
    datalink: undefined,
    mapping: { device_endpoint: '/com.exor.a.p/u/0' },
    properties: {
      x: { type: 'double', datalink: { source: 'x' } },
      y: { type: 'double', datalink: { source: 'y' } },
    },
  }
  const { accept } = started({ p: point })
  expect(accept([goodReading('x', 1, 1)])).toEqual([])
  expect(accept([goodReading('y', 2, 2)])).toEqual([['M:1/p', { x: 1, y: 2 }, 2]])
})

test('a value that does not fit the type is not sent', () => {
  const { accept } = started({ a: leaf('integer', 'a', changes) })
  expect(accept([goodReading('a', 2 ** 40, 1)])).toEqual([])
  expect(accept([goodReading('a', 'no number', 2)])).toEqual([])
})

test('a confirmation is sent whatever the policy says, and not a second time as a change', () => {
  const { accept, configuration, sender, table } = started({ a: leaf('double', 'a', changes) })
  accept([goodReading('a', 20, 1)])
  table.accept([goodReading('a', 20, 5)])
  expect(shown(sender.confirm(configuration.leaves[0]!, 6))).toEqual([['M:1/a', 20, 6]])
  table.accept([goodReading('a', 30, 7)])
  expect(shown(sender.confirm(configuration.leaves[0]!, 8))).toEqual([['M:1/a', 30, 8]])
  expect(accept([goodReading('a', 30, 9)])).toEqual([])
})

test('what a machine does not vouch for is sent as uncertain, a struct when one field is', () => {
  const { table, sender } = started({
    a: leaf('double', 'a', timer),
    motor: {
      ...leaf('struct', '', changes),
      properties: {
        speed: { type: 'double', datalink: { source: 'a' } },
        current: { type: 'double', datalink: { source: 'b' } },
      },
    },
  })
  const sent = (entries: readonly Entry[]) =>
    entries.map(({ path, payload }) => [path, (decodePayload(payload) as { q?: number }).q])
  const take = (...readings: Reading[]) => {
    table.accept(readings)
    return sent(sender.accept(readings))
  }
  take(uncertainReading('a', 20, 1_000))
  expect(take(goodReading('b', 1, 1_000))).toEqual([['M:1/motor', 1]])
  expect(sent(sender.due(2_000))).toEqual([['M:1/a', 1]])
  expect(take(goodReading('a', 21, 3_000))).toEqual([['M:1/motor', undefined]])
  expect(sent(sender.due(4_000))).toEqual([['M:1/a', undefined]])
})
