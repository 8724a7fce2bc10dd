import { happens, randomOf, within } from './plant-random.ts'

export type Zone = { setPoint: number; temperature: number; power: number; integral: number }

/** Temperatures in °C, power in % of each zone's heaters, speed in m/min, energy in kWh, times in s. */
export type Oven = {
  zones: [Zone, Zone, Zone]
  heaterEnabled: boolean
  speedSetPoint: number
  speed: number
  products: number
  /** Part of the next product that has already gone through. */
  share: number
  energy: number
  doorOpenFor: number
  /** Zone whose heater failed, and for how long it still does. */
  failedZone: number
  failedFor: number
}

const ambient = 22
/** What a zone reaches at full power without loss to its neighbours, above ambient. */
const reach = 320
const timeConstantS = 180
const zoneKw = 24
const gain = 2.2 // % per °C
const resetS = 90
const productsPerMeter = 4

export function createOven(): Oven {
  const zone = (setPoint: number, temperature: number): Zone => ({
    setPoint,
    temperature,
    power: 40,
    integral: 40,
  })
  return {
    zones: [zone(180, 165), zone(220, 205), zone(195, 180)],
    heaterEnabled: true,
    speedSetPoint: 3.5,
    speed: 3.5,
    products: 0,
    share: 0,
    energy: 0,
    doorOpenFor: 0,
    failedZone: -1,
    failedFor: 0,
  }
}

/** A stepper with its own faults: a heater fails about every 40 minutes, the door opens every 25. */
export function ovenStepper(seed: number): (oven: Oven, seconds: number) => void {
  const random = randomOf(seed)
  return (oven, seconds) => {
    for (let left = seconds; left > 0; left -= 1) stepOven(oven, Math.min(1, left), random)
  }
}

function stepOven(oven: Oven, dt: number, random: () => number) {
  fail(oven, dt, random)
  const neighbours = oven.zones.map(({ temperature }) => temperature)
  for (const [index, zone] of oven.zones.entries()) {
    heat(zone, oven, { index, dt, neighbours, noise: (random() - 0.5) * 0.08 })
    oven.energy += ((zone.power / 100) * zoneKw * dt) / 3_600
  }
  oven.speed += ((oven.speedSetPoint - oven.speed) * dt) / 4
  const through = oven.share + (oven.speed / 60) * productsPerMeter * dt
  oven.products = (oven.products + Math.floor(through)) % 4_294_967_296
  oven.share = through % 1
}

function fail(oven: Oven, dt: number, random: () => number) {
  oven.failedFor = Math.max(0, oven.failedFor - dt)
  oven.doorOpenFor = Math.max(0, oven.doorOpenFor - dt)
  if (oven.failedFor === 0) oven.failedZone = -1
  if (oven.failedFor === 0 && happens(random, 2_400, dt)) {
    oven.failedZone = Math.floor(random() * 3)
    oven.failedFor = 120 + random() * 180
  }
  if (oven.doorOpenFor === 0 && happens(random, 1_500, dt)) oven.doorOpenFor = 20 + random() * 40
}

type Surroundings = { index: number; dt: number; neighbours: number[]; noise: number }

/** A PI controller sets the power; the temperature follows it with one time constant and loses heat to the hall, the neighbours, the goods and an open door. */
function heat(zone: Zone, oven: Oven, { index, dt, neighbours, noise }: Surroundings) {
  const error = zone.setPoint - zone.temperature
  const wanted = zone.integral + gain * error
  // The integral stands still while the output is at its limit, or it would overshoot for minutes.
  if (wanted > 0 && wanted < 100) zone.integral += (gain * error * dt) / resetS
  const heats = oven.heaterEnabled && oven.failedZone !== index
  zone.power = heats ? within(wanted, 0, 100) : 0
  const goods = 6 * oven.speed
  const door = oven.doorOpenFor > 0 && index === 0 ? 90 : 0
  const beside = [neighbours[index - 1], neighbours[index + 1]]
  const exchange = beside.reduce<number>(
    (sum, other) => sum + (other === undefined ? 0 : (other - zone.temperature) * 0.05),
    0,
  )
  const target = ambient + (zone.power / 100) * reach - goods - door + exchange
  zone.temperature += ((target - zone.temperature) * dt) / timeConstantS + noise
}
