import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newOven, newStation, switchedOn } from './demo-plant-plan.ts'
import { saveMachineStates, readMachineStates, resume } from './demo-plant-state.ts'
import { advance, machineAt, readMachine } from './plant-machine.ts'
import { ovenPhysics } from './plant-oven-physics.ts'
import { pastOf, type PastSample } from './plant-past.ts'
import { isLinked, isMeasured, linkChanges, plainPlan, type PlantPlan } from './plant-plan.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** A Wednesday at noon. */
const began = Date.UTC(2026, 5, 3, 12)
const plan: PlantPlan = { ...plainPlan(147), laterMs: 0 }

/** All samples of a machine's past, by path. */
function pastOfOven(own: PlantPlan) {
  const all = new Map<string, PastSample[]>()
  for (const slice of pastOf(newOven(own, began), { to: began, sliceMs: day })) {
    for (const [at, samples] of slice) all.set(at, [...(all.get(at) ?? []), ...samples])
  }
  return all
}

test('the oven holds its set-points, heats no faster than it can, and without power it cools down', () => {
  const machine = machineAt(ovenPhysics, plainPlan(1), began)
  const errors: number[] = []
  for (let t = began; t < began + 4 * hour; t += minute) {
    advance(machine, t)
    const [, zone] = machine.state.zones
    if (!machine.state.fault) errors.push(Math.abs(zone.temperature - zone.setPoint))
  }
  expect(errors.toSorted((a, b) => a - b)[Math.floor(errors.length / 2)]).toBeLessThan(2)
  machine.state.zones[1].setPoint = 240
  advance(machine, machine.at + minute)
  expect(machine.state.zones[1].temperature).toBeLessThan(235)
  advance(machine, machine.at + 20 * minute)
  expect(machine.state.zones[1].temperature).toBeGreaterThan(238)
  const { products } = machine.state
  expect(products).toBeGreaterThan(3_000)
  machine.state.heaterEnabled = false
  advance(machine, machine.at + hour)
  expect(machine.state.zones[1].temperature).toBeLessThan(60)
})

test('the tank stays between empty and full, a pump trips now and then, and a plan repeats itself', () => {
  const [one, other] = [newStation(plan, began), newStation(plan, began)]
  let trips = 0
  for (let t = switchedOn(began); t < began; t += 10 * minute) {
    advance(one, t)
    if (one.state.pumps.some(({ faultFor }) => faultFor > 0)) trips += 1
    expect(one.state.level).toBeGreaterThan(5)
    expect(one.state.level).toBeLessThan(100)
  }
  expect(trips).toBeGreaterThan(0)
  advance(other, one.at)
  expect(other.at).toBe(one.at)
  expect(other.state.level).toBeCloseTo(one.state.level, 0)
})

test('the working day shows: three recipes by their set-points, a pause at night, counters that never fall', () => {
  const past = pastOfOven(plan)
  const wanted = new Set(past.get('zone1/setPoint')?.map(([, value]) => value))
  expect([...wanted].toSorted()).toEqual([170, 180, 190, 90])
  const at = (signal: string, t: number) => past.get(signal)?.find(([time]) => time === t)?.[1]
  expect(at('conveyor/speed', began - day + hour)).toBe(4)
  expect(at('conveyor/speed', began - 10 * hour)).toBe(0)
  expect(at('zone1/temperature', began - 10 * hour)).toBeLessThan(120)
  for (const counter of ['products', 'energy']) {
    const values = past.get(counter)?.map(([, value]) => Number(value)) ?? []
    expect(values).toHaveLength(43_200)
    expect(values.every((value, index) => value >= (values[index - 1] ?? 0))).toBe(true)
  }
})

test('incidents are seen in the values, and what nobody could read is not there', () => {
  const from = began - 5 * day
  const lasting = (kind: 'stuckHeater' | 'stopped' | 'unpowered' | 'offline', hours: number) => ({
    kind,
    from: from + hours * hour,
    to: from + (hours + 1) * hour,
    part: 1,
  })
  const incidents = [
    lasting('stuckHeater', 0),
    lasting('stopped', 4),
    lasting('unpowered', 20),
    lasting('offline', 30),
  ]
  const eventful = { ...plan, incidents }
  const past = pastOfOven(eventful)
  const during = (signal: string, index: number) =>
    (past.get(signal) ?? []).filter(
      ([t]) => t > (incidents[index]?.from ?? 0) + 5 * minute && t < (incidents[index]?.to ?? 0),
    )
  expect(Math.max(...during('zone2/temperature', 0).map(([, v]) => Number(v)))).toBeGreaterThan(250)
  expect(during('fault', 0).every(([, value]) => value === true)).toBe(true)
  expect(new Set(during('conveyor/speed', 1).map(([, value]) => value))).toEqual(new Set([0]))
  for (const signal of past.keys()) expect([signal, during(signal, 2)]).toEqual([signal, []])
  expect(during('products', 3)).toHaveLength(54)
  const lost = linkChanges(eventful, switchedOn(began), began).filter(([, linked]) => !linked)
  expect(lost.map(([t]) => t)).toEqual([incidents[2]?.from, incidents[3]?.from])
})

test('a poor line comes and goes, alike in its past and live, and has no values while it is away', () => {
  const poor = { ...plan, link: 'poor' as const }
  const changes = linkChanges(poor, switchedOn(began), began)
  expect(changes.length).toBeGreaterThan(1_000)
  for (const [index, [t, linked]] of changes.entries()) {
    expect(isLinked(poor, t)).toBe(linked)
    expect(changes[index - 1]?.[1]).not.toBe(linked)
  }
  const times = pastOfOven(poor).get('products') ?? []
  expect(times.every(([t]) => isMeasured(poor, t))).toBe(true)
  expect(times.length).toBeLessThan(42_000)
})

test('after a stop the machine has gone on: counters do not fall, what a person set stays until the next recipe', () => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'longreach-plant-')), 'state.json')
  expect(readMachineStates(file)).toEqual({})
  const machine = newOven(plan, began)
  advance(machine, began)
  machine.state.zones[0].setPoint = 197
  const { at, state } = machine
  saveMachineStates(file, { oven: { at, port: 5_020, state: { ...state } } })

  const before = { ...machine.state }
  const again = resume(newOven(plan, began), readMachineStates(file)['oven'])
  advance(again, began + 2 * hour)
  expect(again.state.products).toBeGreaterThan(before.products)
  expect(again.state.energy).toBeGreaterThan(before.energy)
  expect(readMachine(again, again.at)['zone1/setPoint']).toBe(197)
  advance(again, began + 9 * hour)
  expect(readMachine(again, again.at)['zone1/setPoint']).toBe(170)

  writeFileSync(file, '{')
  expect(() => readMachineStates(file)).toThrow()
})
