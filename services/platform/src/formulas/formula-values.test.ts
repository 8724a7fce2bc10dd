import { usualMissing } from '@longreach/formula/missing'
import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import { expect, test } from 'vitest'
import type { Device, Target } from '../devices/device.ts'
import { placeFormulas } from '../devices/device-formulas.ts'
import { createFormulaValues } from './formula-values.ts'

/** A device with one input and a formula over it, as the register makes them. */
function computing(text: string) {
  const device = { id: 'd', org: 'exor', byPath: new Map() } as unknown as Device
  const leaf = { path: 'Probe:1/a', type: 'double', mode: 'R', history: true } as const
  const input: Target = { device, leaf }
  device.byPath.set(leaf.path, input)
  const fact = { path: 'Probe:1/out', type: 'double', history: true, text, missing: usualMissing }
  device.formulas = placeFormulas(device, [fact], new Map())
  return { device, input }
}

test('values that become durable while the past is looked up are computed with once, in their order', async () => {
  const { input } = computing('delta(a)')
  const arrived = [1, 2, 4].map((v, t): Point => ({ t, v, q: 0 }))
  const series = { id: 1, org: 'exor', device: 'd', path: input.leaf.path, type: 'double' }
  const store: Partial<TelemetryStore> = {
    trust: () => 1,
    findSeries: async () => [{ ...series, type: 'double' }],
    // Nothing is durable when the newest value is asked for, everything when the past is read.
    last: async () => [undefined],
    async *read() {
      yield arrived.toReversed()
    },
  }
  const kept: [number, unknown][] = []
  const late: number[] = []
  const compute = createFormulaValues({
    store: async () => store as TelemetryStore,
    keep: async (_, { t, v }) => void kept.push([t, v]),
    late: (_, since) => late.push(since),
  })
  await Promise.all(arrived.map(async (point) => compute(input, point, Promise.resolve())))
  expect({ kept, late }).toEqual({
    kept: [
      [1, 1],
      [2, 2],
    ],
    late: [],
  })
})
