import type { Physics, Readings } from './plant-machine.ts'
import { incidentAt, type PlantPlan } from './plant-plan.ts'
import { approach, drift, goesOn, hashed, within } from './plant-random.ts'
import { toHundredths, toTenths } from './rounding.ts'

type Zone = { setPoint: number; temperature: number; power: number }

/** Temperatures in °C, power in % of each zone's heaters, speed in m/min, energy in kWh. */
export type Oven = {
  zones: [Zone, Zone, Zone]
  heaterEnabled: boolean
  speedSetPoint: number
  speed: number
  products: number
  /** Finished part of the next product. */
  share: number
  energy: number
  doorOpen: boolean
  fault: boolean
  /** Recipe that set the set-points; set-points of a person stay until the next one begins. */
  recipe: string
}

type Recipe = { name: string; setPoints: readonly [number, number, number]; speed: number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const bread: Recipe = { name: 'bread', setPoints: [180, 220, 195], speed: 3.5 }
const rolls: Recipe = { name: 'rolls', setPoints: [190, 230, 205], speed: 4 }
const rye: Recipe = { name: 'rye', setPoints: [170, 210, 188], speed: 2.8 }
const standby: Recipe = { name: 'standby', setPoints: [90, 90, 90], speed: 0 }

/** Recipe at a time: three a day, and a pause for cleaning at night, longer on Sundays. */
function recipeAt({ laterMs }: PlantPlan, t: number): Recipe {
  if (laterMs === undefined) return bread
  const at = t - laterMs
  const hour = (at % dayMs) / hourMs
  const isSunday = (Math.floor(at / dayMs) + 4) % 7 === 0 // 1970-01-01 was a Thursday
  if (hour >= 1 && hour < (isSunday ? 4 : 2.5)) return standby
  if (hour >= 4 && hour < 12) return bread
  return hour >= 12 && hour < 20 ? rolls : rye
}

/** Temperature above the hall's that a zone reaches at full power without loss. */
const reach = 320
const timeConstantS = 420
const gain = 2.2 // % per °C
const zoneKw = 24
const productsPerMeter = 4
/** Power in % of a heater that cannot be switched off. */
const stuckPower = 85

/** Heater failures of some minutes, about one in 1.5 days; the oven opens every 25 minutes. */
const failures = { slotMs: 8 * hourMs, chance: 0.22, shortestMs: 120_000, longestMs: 300_000 }
const doors = { slotMs: 1_500_000, chance: 1, shortestMs: 20_000, longestMs: 60_000 }

function createOven(plan: PlantPlan, t: number): Oven {
  const { name, setPoints, speed } = recipeAt(plan, t)
  const zone = (setPoint: number): Zone => ({ setPoint, temperature: setPoint, power: 40 })
  const used = plan.laterMs === undefined ? 0 : 1 + hashed(plan.seed, 1)
  return {
    zones: [zone(setPoints[0]), zone(setPoints[1]), zone(setPoints[2])],
    heaterEnabled: true,
    speedSetPoint: speed,
    speed,
    products: Math.floor(used * 700_000),
    share: 0,
    energy: used * 30_000,
    doorOpen: false,
    fault: false,
    recipe: name,
  }
}

const hallAt = (plan: PlantPlan, t: number) =>
  23 + 3 * Math.sin((t / dayMs - 0.375) * 2 * Math.PI) + drift(plan.seed, t, hourMs)

/** Zone whose heater has failed; -1 without one. */
function failedZone(plan: PlantPlan, t: number) {
  if (recipeAt(plan, t).speed === 0 || !goesOn(plan.seed, t, failures)) return -1
  return Math.floor(hashed(plan.seed, Math.floor(t / failures.slotMs), 4) * 3)
}

/** Sets the set-points of a recipe that begins. */
function follow(oven: Oven, recipe: Recipe) {
  if (recipe.name === oven.recipe) return
  oven.recipe = recipe.name
  oven.speedSetPoint = recipe.speed
  for (const [index, zone] of oven.zones.entries()) zone.setPoint = recipe.setPoints[index] ?? 0
}

/**
 * Advances the oven by `seconds`, to `t`: at most about ten, or the heaters are simulated badly.
 */
function stepOven(oven: Oven, plan: PlantPlan, t: number, seconds: number) {
  follow(oven, recipeAt(plan, t))
  const powered = !incidentAt(plan, 'unpowered', t)
  const failed = failedZone(plan, t)
  const stuck = incidentAt(plan, 'stuckHeater', t)?.part ?? -1
  oven.doorOpen = goesOn(plan.seed + 5, t, doors)
  oven.fault = failed >= 0 || stuck >= 0
  const wantedSpeed = powered && !incidentAt(plan, 'stopped', t) ? oven.speedSetPoint : 0
  oven.speed = approach(oven.speed, wantedSpeed, seconds, 4)
  const enabled = powered && oven.heaterEnabled
  const hall = hallAt(plan, t)
  const before = oven.zones.map(({ temperature }) => temperature)
  for (const [index, zone] of oven.zones.entries()) {
    const heats = enabled && failed !== index
    const loss = 6 * oven.speed + lossBeside(before, index)
    const door = oven.doorOpen && index === 0 ? 60 : 0
    heat(zone, { loss, door, hall, heats, stuck: stuck === index, seconds })
    oven.energy += ((zone.power / 100) * zoneKw * seconds) / 3_600
  }
  count(oven, seconds)
}

function count(oven: Oven, seconds: number) {
  const through = oven.share + (oven.speed / 60) * productsPerMeter * seconds
  oven.products = (oven.products + Math.floor(through)) % 4_294_967_296
  oven.share = through % 1
}

/** Loss of a zone to its neighbours in °C. */
function lossBeside(temperatures: readonly number[], index: number) {
  const own = temperatures[index] ?? 0
  const before = temperatures[index - 1] ?? own
  const after = temperatures[index + 1] ?? own
  return (2 * own - before - after) * 0.05
}

type Heating = {
  loss: number
  door: number
  hall: number
  heats: boolean
  stuck: boolean
  seconds: number
}

/**
 * Heats a zone: the controller knows the loss, except through the open oven, and corrects the
 * difference.
 */
function heat(zone: Zone, { loss, door, hall, heats, stuck, seconds }: Heating) {
  const holding = ((zone.setPoint - hall + loss) / reach) * 100
  const wanted = within(holding + gain * (zone.setPoint - zone.temperature), 0, 100)
  zone.power = stuck ? stuckPower : heats ? wanted : 0
  const target = hall + (zone.power / 100) * reach - loss - door
  zone.temperature = approach(zone.temperature, target, seconds, timeConstantS)
}

/** Measurements of the oven at a time, by the paths of its model. */
function readOven(oven: Oven, { seed }: PlantPlan, t: number): Readings {
  const readings: Readings = {
    'conveyor/speed': toHundredths(oven.speed),
    'conveyor/speedSetPoint': toHundredths(oven.speedSetPoint),
    products: oven.products,
    energy: toTenths(oven.energy),
    heaterEnabled: oven.heaterEnabled,
    doorOpen: oven.doorOpen,
    fault: oven.fault,
  }
  for (const [index, { temperature, setPoint, power }] of oven.zones.entries()) {
    const at = `zone${index + 1}`
    const flutter = 0.3 * drift(seed * 8 + index, t, 45_000)
    readings[`${at}/temperature`] = toTenths(temperature + flutter)
    readings[`${at}/setPoint`] = toTenths(setPoint)
    readings[`${at}/power`] = toTenths(power)
  }
  return readings
}

export const ovenPhysics: Physics<Oven> = { create: createOven, step: stepOven, read: readOven }
