import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import { collectGarbage } from '@longreach/kit/garbage'
import { expect, test } from 'vitest'
import type { Device } from '../devices/device.ts'
import { answersOf } from './query-answers.ts'
import { replyWithTags } from './query-format.ts'
import { planOf } from './query-plan.ts'
import { TagQuestion } from './tag-contract.ts'

const rows = 10_000_000
const page = 10_000
/** Bytes of an answer between two looks at the memory. */
const lookEvery = 5_000_000

/** A store that makes up its values while it is read: what is measured is what a question holds. */
function endless(read: { pages: number; open: number }): TelemetryStore {
  const series = { id: 1, org: 'exor', device: 'd', path: 'Probe:1/flow', type: 'double' }
  const store: Partial<TelemetryStore> = {
    findSeries: async () => [series as Awaited<ReturnType<TelemetryStore['findSeries']>>[number]],
    async *read(_, { signal, limit = rows }) {
      read.open += 1
      try {
        for (let from = 0; from < Math.min(rows, limit); from += page) {
          signal?.throwIfAborted()
          read.pages += 1
          await new Promise(setImmediate)
          yield Array.from({ length: page }, (_, at): Point => ({
            t: from + at,
            v: at % 100,
            q: 0,
          }))
        }
      } finally {
        read.open -= 1
      }
    },
  }
  return store as TelemetryStore
}

const device = { id: 'd', org: 'exor', byPath: new Map(), groups: [] } as unknown as Device
const all = () => true
const sources = [{ device, modelPath: 'Probe:1/flow', access: { last: all, past: all } }]

async function answer(asked: object, signal: AbortSignal, read = { pages: 0, open: 0 }) {
  const question = TagQuestion.parse({ since: 0, to: rows, ...asked })
  const planned = planOf(question, rows)
  if (!planned.ok) throw new Error(planned.message)
  const answers = await answersOf(endless(read), sources, planned.plan, signal)
  const { body } = await replyWithTags(answers, question, signal)
  return body as AsyncIterable<Buffer>
}

const never = new AbortController().signal

test.each([
  ['ten million as they are', { format: 'csv', timestampFormat: 'unix' }, 150_000_000],
  ['a million in a formula', { functions: { formula: { map: 'flow * 2' } }, limit: 1_000_000 }, 0],
])(
  'values are answered without being held: %s [C-20]',
  async (_, asked, least) => {
    let bytes = 0
    let most = 0
    let nextLook = lookEvery
    await collectGarbage()
    const before = process.memoryUsage().heapUsed
    for await (const chunk of await answer(asked, never)) {
      bytes += chunk.length
      if (bytes < nextLook) continue
      // Swept before: what waits to be swept is not held, and other tests of the worker leave much of it.
      nextLook += lookEvery
      await collectGarbage()
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
    expect(bytes).toBeGreaterThan(Math.max(least, 2 * lookEvery))
    // The values alone would take 400 MB as points, and 150 MB as text.
    expect(most).toBeLessThan(250_000_000)
  },
  60_000,
)

test('when the client hangs up, nothing more is read', async () => {
  const read = { pages: 0, open: 0 }
  const client = new AbortController()
  const body = await answer({}, client.signal, read)
  const reading = (async () => {
    for await (const _ of body) if (read.pages > 20) client.abort()
  })()
  await expect(reading).rejects.toThrow()
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(read.pages).toBeLessThan(60)
  expect(read.open).toBe(0)
})

test('at the limit nothing more is read', async () => {
  const read = { pages: 0, open: 0 }
  let text = ''
  for await (const chunk of await answer(
    { filterCondition: 'value == 7', limit: 150 },
    never,
    read,
  ))
    text += chunk.toString()
  expect((JSON.parse(text) as { data: unknown[] }[])[0]?.data).toHaveLength(150)
  expect(read).toEqual({ pages: 2, open: 0 })
})
