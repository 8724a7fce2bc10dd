import { createHash } from 'node:crypto'
import type { TelemetryStore } from './store.ts'

const day = 86_400_000
/** Time of the first value of the series that keys.test.ts makes. */
export const start = Date.UTC(2026, 0, 5)
const range = { since: start - day, to: start + 10 * day }

/** Answers to every kind of question about the devices that nothing is written to meanwhile. */
export async function answersOf(store: TelemetryStore) {
  const answers: Record<string, unknown> = {}
  for (const device of ['press', 'oven', 'twice']) {
    const found = await store.findSeries(device)
    const ids = found.map(({ id }) => id)
    answers[`${device}: series`] = found
    for (const id of ids) {
      answers[`${id}: values`] = await hashOf(store, id, 'asc')
      answers[`${id}: values back`] = await hashOf(store, id, 'desc')
      answers[`${id}: graded`] = await store.gradedHours(id, { ...range, limit: 100 })
    }
    answers[`${device}: last`] = (await store.last(ids)).map((one) => [one?.t, one?.v, one?.q])
    for (const width of [3_600_000, 777_777, day])
      answers[`${device}: buckets ${width}`] = await store.buckets(ids, { ...range, width })
  }
  const ids = (await store.findSeries('oven')).map(({ id }) => id)
  answers['would expire'] = await store.wouldExpire(
    ids.map((series) => ({ series, before: start + day / 2 })),
  )
  answers['usage'] = await store.usage({ org: 'acme', below: true, by: 'path' })
  return answers
}

async function hashOf(store: TelemetryStore, id: number, order: 'asc' | 'desc') {
  const hash = createHash('sha256')
  let count = 0
  for await (const page of store.read(id, { ...range, order })) {
    for (const { t, v, q } of page) hash.update(`${t} ${String(v)} ${q}\n`)
    count += page.length
  }
  return `${count} ${hash.digest('hex')}`
}

/** First answer that is not as it was; undefined: all are. */
export function changedAnswer(before: unknown, now: Record<string, unknown>) {
  const was = new Map(Object.entries(before ?? {}))
  const changed = Object.entries(now).find(
    ([question, answer]) => JSON.stringify(answer) !== JSON.stringify(was.get(question)),
  )
  if (was.size !== Object.keys(now).length) return 'number of answers'
  return changed?.[0]
}
