import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { bucketsByHand } from './buckets-by-hand.ts'
import type { Value } from './point.ts'
import { openTelemetry, type TelemetryStore } from './store.ts'
import { at, networkOf, seriesOf, start } from './tails-testing.ts'

const ranges = [
  { since: start, to: at(20_000), width: 300_000 },
  { since: start - 7, to: at(19_000), width: 3_600_000 },
  { since: at(100), to: at(600), width: 1_000 },
  { since: at(3), to: at(11), width: 1e9 },
]

/**
 * Three stores on one database. Each value is written into two series: eighths, whose sums are exact in any order,
 * and numbers whose sums depend on the order.
 */
class Plant {
  readonly network = networkOf()
  readonly stores: TelemetryStore[] = []
  private readonly written = new Map<number, { by: number; value: number }>()
  private readonly pool: pg.Pool
  private readonly name: string
  private count = 0
  constructor(pool: pg.Pool, name: string) {
    this.pool = pool
    this.name = name
  }

  open = () => openTelemetry({ pool: this.pool, network: this.network.network })

  /** Values in order of time, or late ones; a time that another process wrote is left as it is. */
  async write(place: number, from: number, count: number) {
    const store = this.storeAt(place)
    const exact = await seriesOf(store, `${this.name} exact`)
    const rough = await seriesOf(store, `${this.name} rough`)
    const batch: { series: number[]; t: number[]; v: Value[] } = { series: [], t: [], v: [] }
    for (let n = from; n < from + count; n += 1) {
      if ((this.written.get(n)?.by ?? place) !== place) continue
      const value = (this.count += 7) % 1_001
      this.written.set(n, { by: place, value })
      batch.series.push(exact, rough)
      batch.t.push(at(n), at(n))
      batch.v.push(value / 8, value / 10)
    }
    if (batch.t.length > 0) await store.append(batch)
  }

  /** Ends a store without moving its values; another one, maybe the one in its place, takes them over. */
  async replace(place: number) {
    this.network.silent.clear()
    await this.storeAt(place).close()
    // Nobody writes their times again, because any of the others may take them over.
    for (const [n, one] of this.written)
      if (one.by === place) this.written.set(n, { ...one, by: -1 })
    this.stores[place] = await this.open()
  }

  async bucketsAt(place: number) {
    const store = this.storeAt(place)
    const exact = await seriesOf(store, `${this.name} exact`)
    const rough = await seriesOf(store, `${this.name} rough`)
    return Promise.all(ranges.map((range) => store.buckets([exact, rough], range)))
  }

  /** Buckets at each process, with figures of others and, when these are silent, with their values. */
  async answers() {
    const newest = new Map([...this.written].map(([n, { value }]) => [at(n), (value / 8) as Value]))
    const exact = ranges.map((range) => bucketsByHand(newest, range))
    const { silent } = this.network
    const quiet = [...silent]
    const found: { exact: unknown[]; byFigures: string; byValues: string }[] = []
    for (const place of this.stores.keys()) {
      const asked = await this.bucketsAt(place)
      for (const writer of this.network.writers()) silent.add(writer)
      const byValues = JSON.stringify(await this.bucketsAt(place))
      silent.clear()
      for (const writer of quiet) silent.add(writer)
      found.push({
        exact: asked.map(([own]) => own),
        byFigures: JSON.stringify(asked),
        byValues,
      })
    }
    return { exact, found }
  }

  /** Buckets at a place from before and during a move of another's values into chunks. */
  async sealBeside(place: number) {
    const beside = (place + 1) % this.stores.length
    const [before, , meanwhile] = await Promise.all([
      this.bucketsAt(beside),
      this.storeAt(place).sealNow(),
      this.bucketsAt(beside),
    ])
    return [before, meanwhile].map((all) => all.map(([exact]) => exact))
  }

  storeAt(place: number) {
    const store = this.stores[place]
    if (!store) throw new Error(`no store at ${place}`)
    return store
  }
}

const place = fc.nat(2)
const write = fc.record({
  does: fc.constant('write' as const),
  place,
  from: fc.oneof(fc.nat(20), fc.nat(700), fc.constantFrom(8_000, 15_000)),
  count: fc.constantFrom(1, 3, 400),
})
const other = fc.record({ does: fc.constantFrom('seal', 'replace', 'silence'), place })
const step = fc.oneof({ weight: 6, arbitrary: write }, { weight: 3, arbitrary: other })

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function carryOut(plant: Plant, step: Step) {
  if ('from' in step) await plant.write(step.place, step.from, step.count)
  else if (step.does === 'replace') await plant.replace(step.place)
  else if (step.does === 'silence')
    plant.network.silent.add(plant.network.writers()[step.place] ?? 0)
}

test('buckets are the same in each process whether others send figures or values, with late values, ends and seals', async () => {
  const { pool, close } = await testDatabase()
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (list) => {
      const plant = new Plant(pool, `round ${(round += 1)}`)
      for (let n = 0; n < 3; n += 1) plant.stores.push(await plant.open())
      try {
        for (const one of list) {
          await carryOut(plant, one)
          const sealed = one.does === 'seal' ? await plant.sealBeside(one.place) : []
          const { exact, found } = await plant.answers()
          for (const buckets of sealed) expect(buckets).toEqual(exact)
          for (const at of found) {
            expect(at.exact).toEqual(exact)
            expect(at.byFigures).toBe(at.byValues)
          }
        }
      } finally {
        for (const store of plant.stores) await store.close()
      }
    }),
    { numRuns: 12 },
  )
  await close()
}, 120_000)

test('a chart of half an hour travels as figures of its buckets, asked once; with late values also as values', async () => {
  const { pool, close } = await testDatabase()
  const sizes: number[] = []
  const { network } = networkOf()
  const counted = {
    ...network,
    ask: async (...question: Parameters<typeof network.ask>) => {
      const answer = await network.ask(...question)
      sizes.push(answer?.length ?? 0)
      return answer
    },
  }
  const first = await openTelemetry({ pool, network })
  const second = await openTelemetry({ pool, network: counted })
  const series = await seriesOf(first, 'speed')
  const write = (ns: readonly number[]) =>
    first.append({ series: ns.map(() => series), t: ns.map(at), v: ns.map((n) => n / 10) })
  const range = { since: start, to: at(3_600), width: 300_000 }
  const expectSame = async (sent: readonly unknown[]) => {
    sizes.length = 0
    expect(await second.buckets([series], range)).toEqual(await first.buckets([series], range))
    expect(sizes).toEqual(sent)
  }
  await write(Array.from({ length: 1_800 }, (_, n) => n))
  // Six buckets of nine numbers, their count, the head of the part and that of the answer.
  await expectSame([6 * 72 + 8 + 16 + 8])
  await first.sealNow()
  await expectSame([8])
  await write(Array.from({ length: 1_200 }, (_, n) => 1_800 + n))
  await expectSame([4 * 72 + 8 + 16 + 8])
  await write([7])
  await expectSame([5 * 72 + 8 + 16 + 8, 8 + 16 + 1_201 * 16])
  for (const store of [first, second]) await store.close()
  await close()
})
