import { ovenModel, pumpsModel, tunnelOvenModel } from '@longreach/edge/demo-models'
import { newOven, newStation, switchedOn } from '@longreach/edge/demo-plant-plan'
import { advance, type Machine, onGrid, readMachine } from '@longreach/edge/plant-machine'
import { pastOf, type PastSample } from '@longreach/edge/plant-past'
import { isMeasured, linkChanges } from '@longreach/edge/plant-plan'
import { expect, test } from 'vitest'
import { fleetMachines } from './demo-fleet-machines.ts'
import { plannedDevices } from './demo-plan.ts'
import { storyComments } from './demo-story.ts'

const day = 86_400_000
const machines = (['oven', 'pumps', 'host'] as const).map((name) => ({
  name,
  label: name,
  organization: 'nordwerk',
  deviceId: name,
  activationKey: 'AAAA-BBBB',
}))
const fleet = fleetMachines.map(({ label, organization, link }) => ({
  label,
  organization,
  link,
  deviceId: label,
  activationKey: 'AAAA-BBBB',
}))
const devicesAt = (began: number) => plannedDevices({ machines, fleet }, began)
type Planned = ReturnType<typeof devicesAt>[number]

/** Machine of a device in its state two days before the end, from which it continues. */
const newMachine = ({ kind, plan }: Planned, began: number): Machine<object> => {
  const at = began - 2 * day
  const machine: Machine<object> = kind === 'pumps' ? newStation(plan, began) : newOven(plan, began)
  return { ...machine, at, state: machine.physics.create(plan, at) }
}

/** Last two days of a device's past values, by path. */
function lastDays(device: Planned, began: number) {
  const past = new Map<string, PastSample[]>()
  for (const slice of pastOf(newMachine(device, began), { to: began, sliceMs: day })) {
    for (const [path, samples] of slice) past.set(path, [...(past.get(path) ?? []), ...samples])
  }
  return past
}

/** Largest difference between consecutive values of a signal. */
const usualStep = (samples: readonly PastSample[]) =>
  samples.reduce((most, [, value], index) => {
    const before = samples[index - 1]?.[1] ?? value
    return Math.max(most, Math.abs(Number(value) - Number(before)))
  }, 0)

// A working morning, the pause at night, a Sunday, and a change of recipe.
test.each([
  Date.UTC(2026, 10, 18, 9, 17, 42),
  Date.UTC(2026, 10, 18, 1, 40),
  Date.UTC(2026, 10, 22, 2, 59, 59),
  Date.UTC(2026, 10, 20, 11, 59, 40),
])(
  'every signal of every demo device goes on live where its written past ends, from %d [C-22 in part]',
  (now) => {
    const began = onGrid(now)
    for (const device of devicesAt(began).filter(({ kind }) => kind !== 'gateway')) {
      const live = newMachine(device, began)
      advance(live, began + 3_000)
      const first = readMachine(live, live.at)
      const past = lastDays(device, began)
      expect([...past.keys()].toSorted()).toEqual(Object.keys(first).toSorted())
      for (const [path, samples] of past) {
        const [t, last] = samples.at(-1) ?? [0, 0]
        if (isMeasured(device.plan, began))
          expect([device.name, path, t]).toEqual([device.name, path, began])
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
    const first = device && readMachine(newMachine(device, began), began)
    expect(Object.keys(first ?? {})).toContain(path)
  }
})

type Node = { min?: number; max?: number; properties?: Record<string, Node> }
const nodeAt = (root: Node, path: string) =>
  path.split('/').reduce<Node | undefined>((node, name) => node?.properties?.[name], root)

test.each([
  ['oven', ovenModel],
  ['pumps', pumpsModel],
  ['oven-erfurt-1', tunnelOvenModel],
] as const)('what %s shows stays within the limits of its model [C-26]', (wanted, model) => {
  const began = onGrid(Date.UTC(2026, 10, 18, 9))
  const device = devicesAt(began).find(({ name }) => name === wanted)
  if (!device) throw new Error(`no ${wanted}`)
  for (const [path, samples] of lastDays(device, began)) {
    const { min = -Infinity, max = Infinity } = nodeAt(model().model.data, path) ?? {}
    const values = samples.map(([, value]) => Number(value))
    expect([path, values.every((value) => value >= min && value <= max)]).toEqual([path, true])
  }
})
