import { expect, test } from 'vitest'
import { judgeModel } from '../../../services/mappings/src/models/model-rules.ts'
import { judgePreset } from '../../../services/mappings/src/presets/preset-rules.ts'
import { ovenAgent, pumpsAgent, hostAgent } from './demo-agents.ts'
import { demoHistory, demoHistoryTags, inShift } from './demo-history.ts'
import { hostModel, ovenModel, pumpsModel } from './demo-models.ts'
import { createOven, ovenStepper } from './plant-oven-physics.ts'
import { createStation, stationStepper } from './plant-pumps-physics.ts'
import { checkSettings } from './settings.ts'

const connection = { activationKey: 'AAAA-BBBB', endpoint: 'http://localhost:8080' }
type Node = {
  type: string
  mode?: string
  datalink?: { source: string }
  properties?: Record<string, Node>
}

function leavesOf(node: Node, path = ''): [string, Node][] {
  if (!node.properties) return [[path, node]]
  return Object.entries(node.properties).flatMap(([name, child]) =>
    leavesOf(child, path === '' ? name : `${path}/${name}`),
  )
}

test('every data link of the demo presets names a tag of its agent', () => {
  const machines = [
    [ovenModel(), ovenAgent(connection, 5020)],
    [pumpsModel(), pumpsAgent(connection, 4840)],
  ] as const
  for (const [{ model, preset }, agent] of machines) {
    const [source] = checkSettings(agent).sources
    const tags = new Map(
      (source && 'tags' in source ? source.tags : []).map(
        ({ name, writable }: { name: string; writable?: boolean }) => [name, writable],
      ),
    )
    const leaves = leavesOf(preset.data as Node)
    expect(leaves.length).toBe(tags.size)
    for (const [, { mode, datalink }] of leaves) {
      expect(tags.get(datalink?.source ?? '')).toBe(mode === 'RW')
    }
    expect(leavesOf(model.data as Node).map(([path]) => path)).toEqual(leaves.map(([path]) => path))
  }
  expect(checkSettings(hostAgent(connection)).sources[0]?.type).toBe('host')
  expect(
    leavesOf(hostModel().preset.data as Node).map(([, { datalink }]) => datalink?.source),
  ).toContain('host.cpu.load')
})

test('demo history covers thirty days, repeats itself exactly and knows the shifts', () => {
  const monday = Date.UTC(2026, 5, 1)
  const month = 30 * 86_400_000
  for (const tag of demoHistoryTags) {
    const values = [...demoHistory(tag, monday, monday + month, 60_000)]
    expect(values).toHaveLength(43_200)
    expect(values.every(({ v }) => Number.isFinite(v))).toBe(true)
    expect(values.slice(0, 100)).toEqual([...demoHistory(tag, monday, monday + 6_000_000, 60_000)])
  }
  const day = [...demoHistory('oven.zone1.temperature', monday, monday + 86_400_000, 60_000)]
  expect(day[12 * 60]!.v).toBeGreaterThan(160)
  expect(day[3 * 60]!.v).toBeLessThan(110)
  expect(inShift(Date.UTC(2026, 5, 7, 12))).toBe(false)
  expect(() => [...demoHistory('oven.nothing', 0, 1, 1)]).toThrow('no demo history')
})

test('the oven settles at its set-points, and without power it cools down', () => {
  const oven = createOven()
  const step = ovenStepper(1)
  const errors: number[] = []
  for (let minute = 0; minute < 240; minute++) {
    step(oven, 60)
    if (oven.failedZone < 0 && oven.doorOpenFor === 0 && minute > 30) {
      errors.push(Math.abs(oven.zones[1].temperature - oven.zones[1].setPoint))
    }
  }
  expect(errors.toSorted((a, b) => a - b)[Math.floor(errors.length / 2)]).toBeLessThan(2)
  expect(oven.products).toBeGreaterThan(3_000)
  oven.heaterEnabled = false
  step(oven, 3_600)
  expect(oven.zones[1].temperature).toBeLessThan(60)
})

test('the tank stays between empty and full, pumps trip now and then, and a seed repeats', () => {
  const [one, other] = [createStation(), createStation()]
  const [step, again] = [stationStepper(7), stationStepper(7)]
  let trips = 0
  for (let minute = 0; minute < 24 * 60; minute++) {
    step(one, 60)
    again(other, 60)
    if (one.pumps.some(({ faultFor }) => faultFor > 0)) trips += 1
    expect(one.level).toBeGreaterThan(5)
    expect(one.level).toBeLessThan(100)
  }
  expect(trips).toBeGreaterThan(0)
  expect(one).toEqual(other)
})

test('the platform finds nothing wrong with the demo models and presets', () => {
  for (const { model, preset } of [ovenModel(), pumpsModel(), hostModel()]) {
    expect(judgeModel(model.data).issues).toEqual([])
    expect(judgePreset(preset.data, model.data)).toMatchObject({ issues: [], missing: [] })
  }
})
