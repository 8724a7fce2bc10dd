import { happens, randomOf, within } from './plant-random.ts'

export type Pump = {
  running: boolean
  /** % of the full speed. */
  speedSetPoint: number
  speed: number
  /** A */
  current: number
  /** °C */
  bearing: number
  /** s for which it is still tripped. */
  faultFor: number
  /** s for which its bearing still runs dry. */
  dryFor: number
}
/** Level in %, flows in m³/h, pressure in bar. */
export type Station = {
  pumps: [Pump, Pump]
  level: number
  inflow: number
  outflow: number
  pressure: number
  seconds: number
}

const tankM3 = 60
const fullFlow = 90 // m³/h of one pump
const ambient = 21
const hot = 95

export function createStation(): Station {
  const pump = (speedSetPoint: number): Pump => ({
    running: false,
    speedSetPoint,
    speed: 0,
    current: 0,
    bearing: 30,
    faultFor: 0,
    dryFor: 0,
  })
  return {
    pumps: [pump(85), pump(70)],
    level: 55,
    inflow: 60,
    outflow: 0,
    pressure: 1.2,
    seconds: 0,
  }
}

/** A stepper with its own faults: about every hour a bearing runs dry, heats up and trips the pump. */
export function stationStepper(seed: number): (station: Station, seconds: number) => void {
  const random = randomOf(seed)
  return (station, seconds) => {
    for (let left = seconds; left > 0; left -= 1) stepStation(station, Math.min(1, left), random)
  }
}

function stepStation(station: Station, dt: number, random: () => number) {
  station.seconds += dt
  // What flows in swings over twenty minutes, with gusts.
  const swing = 62 + 34 * Math.sin((station.seconds / 1_200) * 2 * Math.PI)
  station.inflow += (swing + (random() - 0.5) * 30 - station.inflow) * Math.min(1, dt / 20)
  const [first, second] = station.pumps
  // The first pump holds the level, the second helps when it is high.
  switchPump(first, station.level, { on: 55, off: 30 })
  switchPump(second, station.level, { on: 75, off: 50 })
  for (const pump of station.pumps) stepPump(pump, dt, random)
  station.outflow = station.pumps.reduce((sum, { speed }) => sum + (speed / 100) * fullFlow, 0)
  const volume = ((station.inflow - station.outflow) * dt) / 3_600
  station.level = within(station.level + (volume / tankM3) * 100, 0, 100)
  if (station.level === 0) station.outflow = Math.min(station.outflow, station.inflow)
  station.pressure = 1.1 + station.level / 250 + (station.outflow / (2 * fullFlow)) ** 2 * 3.4
}

function switchPump(pump: Pump, level: number, { on, off }: { on: number; off: number }) {
  if (pump.faultFor > 0) pump.running = false
  else if (level >= on) pump.running = true
  else if (level <= off) pump.running = false
}

function stepPump(pump: Pump, dt: number, random: () => number) {
  pump.faultFor = Math.max(0, pump.faultFor - dt)
  pump.dryFor = Math.max(0, pump.dryFor - dt)
  if (pump.running && pump.dryFor === 0 && happens(random, 3_600, dt)) pump.dryFor = 240
  const target = pump.running ? pump.speedSetPoint : 0
  pump.speed += ((target - pump.speed) * dt) / 3
  if (pump.speed < 0.05) pump.speed = 0
  const load = pump.speed / 100
  pump.current = load === 0 ? 0 : 4 + 26 * load ** 3 + (random() - 0.5) * 0.4
  const warm = ambient + 12 + 38 * load + (pump.dryFor > 0 ? 60 * load : 0)
  pump.bearing += ((warm - pump.bearing) * dt) / 150 + (random() - 0.5) * 0.04
  if (pump.bearing > hot) {
    pump.faultFor = 180
    pump.dryFor = 0
  }
}
