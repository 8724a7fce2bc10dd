import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { openTelemetry, type TelemetryStore } from './store.ts'
import { at, networkOf, seriesOf, valuesOf } from './tails-testing.ts'

/** Three stores on one database, and all that they have acknowledged: value n at the time of n. */
class Model {
  readonly network = networkOf()
  readonly stores: TelemetryStore[] = []
  private readonly acknowledged: number[] = []
  private readonly pool: pg.Pool
  private readonly path: string
  private written = 0
  constructor(pool: pg.Pool, path: string) {
    this.pool = pool
    this.path = path
  }

  open = () => openTelemetry({ pool: this.pool, network: this.network.network })
  store = (place: number) => this.stores[place] ?? this.open()

  async write(place: number, count: number) {
    const store = await this.store(place)
    const series = await seriesOf(store, this.path)
    for (let n = 0; n < count; n += 1) {
      const value = (this.written += 1)
      await store.append({ series: [series], t: [at(value)], v: [value] })
      this.acknowledged.push(value)
    }
  }

  /** Another store in its place, which takes over what it leaves, if none of the others does. */
  async replace(place: number) {
    // Whom a process reaches when it starts knows it at once, others a second later.
    this.network.silent.clear()
    await this.stores[place]?.close()
    this.stores[place] = await this.open()
  }

  /** Acknowledged values that a store does not read, although it was asked later. */
  async missing() {
    const missing: string[] = []
    for (const [nth, store] of this.stores.entries()) {
      const series = await seriesOf(store, this.path)
      const must = [...this.acknowledged]
      const found = new Map(await valuesOf(store, series))
      for (const value of must)
        if (found.get(at(value)) !== value) missing.push(`${value} at store ${nth}`)
      const [newest] = await store.last([series])
      if (Number(newest?.v ?? 0) < (must.at(-1) ?? 0)) missing.push(`the newest at store ${nth}`)
    }
    return missing
  }
}

type Step = { place: number } & ({ does: 'write'; count: number } | { does: keyof typeof others })
const others = {
  replace: (model: Model, place: number) => model.replace(place),
  seal: async (model: Model, place: number) => (await model.store(place)).sealNow(),
  silence: (model: Model, place: number) =>
    void model.network.silent.add(model.network.writers()[place] ?? 0),
  talk: (model: Model) => model.network.silent.clear(),
}
const carryOut = (model: Model, step: Step) =>
  step.does === 'write' ? model.write(step.place, step.count) : others[step.does](model, step.place)

const place = fc.nat(2)
const oneOf = (does: keyof typeof others) => fc.record({ does: fc.constant(does), place })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('write' as const),
      place,
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: oneOf('replace') },
  { weight: 1, arbitrary: oneOf('seal') },
  { weight: 2, arbitrary: oneOf('silence') },
  { weight: 1, arbitrary: oneOf('talk') },
)

test('in any order of writes, silences, ends and seals each process reads all that was acknowledged', async () => {
  const { pool, close } = await testDatabase()
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 12 }), async (list) => {
      const model = new Model(pool, `round ${(round += 1)}`)
      for (let n = 0; n < 3; n += 1) model.stores.push(await model.open())
      try {
        for (const step of list) {
          const meanwhile = step.does === 'replace' ? [] : model.missing()
          await carryOut(model, step)
          expect(await meanwhile).toEqual([])
          expect(await model.missing()).toEqual([])
        }
      } finally {
        for (const store of model.stores) await store.close()
      }
    }),
    { numRuns: 12 },
  )
  await close()
}, 120_000)
