import { ovenModel, pumpsModel, tunnelOvenModel } from '@longreach/edge/demo-models'
import { newOven, newStation, switchedOn } from '@longreach/edge/demo-plant-plan'
import { advance, onGrid, readMachine } from '@longreach/edge/plant-machine'
import { pastOf, type PastSample } from '@longreach/edge/plant-past'
import { isMeasured, linkChanges } from '@longreach/edge/plant-plan'
import { expect, test } from 'vitest'
import { fleetMachines } from './demo-fleet-machines.ts'
import { plannedDevices } from './demo-plan.ts'
import { storyComments } from './demo-story.ts'

const day = 86_400_000
const machines = (['oven', 'pumps', 'host'] as const).map((name) => ({
  ...{ name, label: name, organization: 'nordwerk', deviceId: name, activationKey: 'AAAA-BBBB' },
}))
const fleet = fleetMachines.map(({ label, organization, link }) => ({
  ...{ label, organization, link, deviceId: label, activationKey: 'AAAA-BBBB' },
}))
const devicesAt = (began: number) => plannedDevices({ machines, fleet }, began)
type Planned = ReturnType<typeof devicesAt>[number]

const newMachine = ({ kind, plan }: Planned, began: number) =>
  kind === 'pumps' ? newStation(plan, began) : newOven(plan, began)

/** The last day of a device's past, by path: what counts for how it goes on. */
function lastDay(device: Planned, began: number) {
  const past = new Map<string, PastSample[]>()
  const from = began - 2 * day
  const machine: Parameters<typeof pastOf>[0] = newMachine(device, began)
  for (const slice of pastOf(machine, { to: began, sliceMs: day })) {
    for (const [path, samples] of slice) {
      const late = samples.filter(([t]) => t > from)
      past.set(path, [...(past.get(path) ?? []), ...late])
    }
  }
  return past
}

/** The largest step from one value to the next that this signal has made. */
const usualStep = (samples: readonly PastSample[]) =>
  samples.reduce((most, [, value], index) => {
    const before = samples[index - 1]?.[1] ?? value
    return Math.max(most, Math.abs(Number(value) - Number(before)))
  }, 0)

// A working morning, the pause at night, a Sunday, and the moment in which a recipe changes.
test.each([
  Date.UTC(2026, 10, 18, 9, 17, 42),
  Date.UTC(2026, 10, 18, 1, 40),
  Date.UTC(2026, 10, 22, 2, 59, 59),
  Date.UTC(2026, 10, 20, 11, 59, 40),
])(
  'every signal of every demo device goes on live where its written past ends, from %d [C-22]',
  (now) => {
    const began = onGrid(now)
    for (const device of devicesAt(began).filter(({ kind }) => kind !== 'gateway')) {
      const live: Parameters<typeof advance>[0] = newMachine(device, began)
      advance(live, began + 3_000)
      const first = readMachine(live, live.at)
      const past = lastDay(device, began)
      expect([...past.keys()].toSorted()).toEqual(Object.keys(first).toSorted())
      for (const [path, samples] of past) {
        const [t, last] = samples.at(-1) ?? [0, 0]
        if (isMeasured(device.plan, began)) expect([device.name, path, t]).toEqual([device.name, path, began])
        const step = Math.abs(Number(first[path]) - Number(last))
        expect([device.name, path, step <= usualStep(samples)]).toEqual([device.name, path, true])
        if (path === 'products' || path === 'energy') {
          expect(Number(first[path])).toBeGreaterThanOrEqual(Number(last))
        }
      }
    }
  },
)

test('lines come and go as values do: losses lie in the thirty days, and each steady machine has two or three', () => {
  const began = onGrid(Date.UTC(2026, 10, 18, 9))
  for (const { kind, plan, name } of devicesAt(began)) {
    if (kind === 'gateway') continue
    const changes = linkChanges(plan, switchedOn(began), began)
    const losses = changes.filter(([, linked]) => !linked)
    if (plan.link === 'poor') continue
    expect([name, losses.length >= 2 && losses.length <= 3]).toEqual([name, true])
    expect(changes.at(-1)?.[1]).toBe(true)
    expect(losses.some(([t]) => t > began - day)).toBe(true)
  }
})

test('comments stand beside what they explain, on paths that the models have', () => {
  const began = onGrid(Date.UTC(2026, 10, 18, 9))
  const comments = storyComments(began)
  expect(comments.length).toBeGreaterThan(1)
  for (const { machine, at, until, modelPath } of comments) {
    const device = devicesAt(began).find(({ name }) => name === machine)
    expect(device?.plan.incidents).toContainEqual(expect.objectContaining({ from: at, to: until }))
    expect(modelPath.startsWith(`${device?.pathBelow ?? '-'}/`)).toBe(true)
    const path = modelPath.slice((device?.pathBelow ?? '').length + 1)
    const first = device && readMachine<object>(newMachine(device, began), began)
    expect(Object.keys(first ?? {})).toContain(path)
  }
})

test('what the machines show stays within the limits of their models', () => {
  type Node = { min?: number; max?: number; properties?: Record<string, Node> }
  const began = onGrid(Date.UTC(2026, 10, 18, 9))
  const models = { oven: ovenModel(), pumps: pumpsModel(), fleet: tunnelOvenModel() }
  for (const device of devicesAt(began).slice(0, 4)) {
    if (device.kind === 'gateway') continue
    const { model } = models[device.name === 'oven' || device.name === 'pumps' ? device.name : 'fleet']
    for (const [path, samples] of lastDay(device, began)) {
      const [part = '', name] = path.split('/')
      const node = (model.data as Node).properties?.[part]
      const { min = -Infinity, max = Infinity } = (name ? node?.properties?.[name] : node) ?? {}
      const values = samples.map(([, value]) => Number(value))
      expect([path, values.every((value) => value >= min && value <= max)]).toEqual([path, true])
    }
  }
})
