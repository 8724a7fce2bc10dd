import type { Physics, Readings } from './plant-machine.ts'
import { incidentAt, type PlantPlan } from './plant-plan.ts'
import { approach, drift, goesOn, within } from './plant-random.ts'
import { toHundredths, toTenths } from './rounding.ts'

type Pump = {
  running: boolean
  /** Speed in % of the full speed. */
  speedSetPoint: number
  speed: number
  /** °C */
  bearing: number
  /** Seconds for which the fault remains. */
  faultFor: number
}
/** Level in %, flows in m³/h, pressure in bar. */
export type Station = {
  pumps: [Pump, Pump]
  level: number
  inflow: number
  outflow: number
}

const hourMs = 3_600_000
const tankM3 = 60
const fullFlow = 90 // m³/h of one pump
const ambient = 21
const hot = 95
const tripS = 900
/** Bearings that run dry now and then, heat up and trip their pump. */
const dryness = { slotMs: 12 * hourMs, chance: 0.2, shortestMs: 300_000, longestMs: 420_000 }

function createStation(): Station {
  const pump = (speedSetPoint: number): Pump => ({
    running: false,
    speedSetPoint,
    speed: 0,
    bearing: 30,
    faultFor: 0,
  })
  return { pumps: [pump(85), pump(70)], level: 45, inflow: 45, outflow: 0 }
}

/** Inflow: people use water in the morning and in the evening, with variations. */
function inflowAt({ seed }: PlantPlan, t: number) {
  const hour = (t / hourMs) % 24
  const use = Math.exp(-(((hour - 6.5) / 2) ** 2)) + 0.8 * Math.exp(-(((hour - 18) / 2.5) ** 2))
  return 34 + 44 * use + 6 * drift(seed, t, 900_000)
}

/** Advances the station by `seconds`, to `t`. */
function stepStation(station: Station, plan: PlantPlan, t: number, seconds: number) {
  const powered = !incidentAt(plan, 'unpowered', t)
  station.inflow = inflowAt(plan, t)
  const [first, second] = station.pumps
  // The first pump holds the level, the second helps when it is high.
  switchPump(first, station.level, { on: 55, off: 30, powered })
  switchPump(second, station.level, { on: 70, off: 50, powered })
  for (const [index, pump] of station.pumps.entries()) {
    const incident = incidentAt(plan, 'dryBearing', t)
    const dry = incident?.part === index || goesOn(plan.seed + 11 + index, t, dryness)
    stepPump(pump, dry, seconds)
  }
  station.outflow = station.pumps.reduce((sum, { speed }) => sum + (speed / 100) * fullFlow, 0)
  const volume = ((station.inflow - station.outflow) * seconds) / 3_600
  station.level = within(station.level + (volume / tankM3) * 100, 0, 100)
  if (station.level === 0) station.outflow = Math.min(station.outflow, station.inflow)
}

type Switching = { on: number; off: number; powered: boolean }

function switchPump(pump: Pump, level: number, { on, off, powered }: Switching) {
  if (pump.faultFor > 0 || !powered) pump.running = false
  else if (level >= on) pump.running = true
  else if (level <= off) pump.running = false
}

function stepPump(pump: Pump, dry: boolean, seconds: number) {
  pump.faultFor = Math.max(0, pump.faultFor - seconds)
  pump.speed = approach(pump.speed, pump.running ? pump.speedSetPoint : 0, seconds, 3)
  if (pump.speed < 0.05) pump.speed = 0
  const load = pump.speed / 100
  const warm = ambient + 12 + 38 * load + (dry ? 60 * load : 0)
  pump.bearing = approach(pump.bearing, warm, seconds, 150)
  if (pump.bearing > hot) pump.faultFor = tripS
}

/** Measurements of the station at a time, by the paths of its model. */
function readStation({ pumps, level, inflow, outflow }: Station, plan: PlantPlan, t: number) {
  const readings: Readings = {
    level: toHundredths(level),
    inflow: toTenths(inflow),
    flow: toTenths(outflow),
    pressure: toHundredths(1.1 + level / 250 + (outflow / (2 * fullFlow)) ** 2 * 3.4),
  }
  for (const [index, pump] of pumps.entries()) {
    const at = `pump${index + 1}`
    const load = pump.speed / 100
    const flutter = drift(plan.seed * 8 + index, t, 45_000)
    readings[`${at}/running`] = pump.running
    readings[`${at}/fault`] = pump.faultFor > 0
    readings[`${at}/speedSetPoint`] = toTenths(pump.speedSetPoint)
    readings[`${at}/speed`] = toTenths(pump.speed)
    readings[`${at}/current`] = load === 0 ? 0 : toTenths(4 + 26 * load ** 3 + 0.2 * flutter)
    readings[`${at}/bearing`] = toTenths(pump.bearing + 0.15 * flutter)
  }
  return readings
}

export const stationPhysics: Physics<Station> = {
  create: createStation,
  step: stepStation,
  read: readStation,
}
