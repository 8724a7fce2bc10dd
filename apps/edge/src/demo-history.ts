import { randomOf, within } from './plant-random.ts'

export type Sample = { t: number; v: number }

type Oven = {
  temperature: number[]
  power: number[]
  speed: number
  energy: number
  products: number
}
type Pumps = { level: number; inflow: number; running: boolean; bearing: number; fault: number }
type Surroundings = { t: number; dt: number; random: () => number }

const hourMs = 3_600_000
/** The machines run a while before the first sample, so that it does not show how they were started. */
const warmUpMs = 3 * hourMs

/** Two shifts from 5 to 21 o'clock UTC, on Saturdays one, on Sundays none. */
export function inShift(t: number) {
  const at = new Date(t)
  const day = at.getUTCDay()
  const hour = at.getUTCHours() + at.getUTCMinutes() / 60
  if (day === 0) return false
  return hour >= 5 && hour < (day === 6 ? 13 : 21)
}

/** Outside, warmest in the afternoon. */
const outdoor = (t: number) => 16 + 6 * Math.sin((t / (24 * hourMs) - 0.375) * 2 * Math.PI)

/** First-order approach to `target`, exact for any step. */
const toward = (value: number, target: number, share: number) => value + (target - value) * share
const shareOf = (dt: number, seconds: number) => 1 - Math.exp(-dt / seconds)

const setPoints = [180, 220, 195]

function stepOven(oven: Oven, { t, dt, random }: Surroundings) {
  const works = inShift(t)
  // Twice a week or so a heater fails for some minutes: the same minutes in all zones' histories.
  const slot = Math.floor(t / (20 * 60_000))
  const failed = works && randomOf(slot)() < 0.012 ? slot % 3 : -1
  oven.speed = toward(oven.speed, works ? 3.5 : 0, shareOf(dt, 20))
  for (const [zone, setPoint] of setPoints.entries()) {
    const wanted = works ? setPoint : 90
    const target = failed === zone ? outdoor(t) + 60 : wanted
    const before = oven.temperature[zone] ?? wanted
    const after = toward(before, target, shareOf(dt, 420)) + (random() - 0.5) * 0.6
    oven.temperature[zone] = after
    const holding = ((after - outdoor(t)) / 320) * 100 + oven.speed * 2
    const power = failed === zone ? 0 : within(holding + (wanted - after) * 2, 0, 100)
    oven.power[zone] = power
    oven.energy += ((power / 100) * 24 * dt) / 3_600
  }
  oven.products += Math.round((oven.speed / 60) * 4 * dt)
}

function stepPumps(pumps: Pumps, { t, dt, random }: Surroundings) {
  // People use water in the morning and in the evening.
  const hour = (t / hourMs) % 24
  const use = Math.exp(-(((hour - 6.5) / 2) ** 2)) + 0.8 * Math.exp(-(((hour - 18) / 2.5) ** 2))
  pumps.inflow = toward(pumps.inflow, 28 + 50 * use + (random() - 0.5) * 12, shareOf(dt, 120))
  pumps.fault = Math.max(0, pumps.fault - dt)
  if (pumps.running && random() < 1 - Math.exp(-dt / (3 * 86_400))) pumps.fault = 900
  if (pumps.fault > 0 || pumps.level < 30) pumps.running = false
  else if (pumps.level > 62) pumps.running = true
  const net = pumps.inflow - (pumps.running ? 88 : 0)
  pumps.level = within(pumps.level + ((net * dt) / 3_600 / 60) * 100, 0, 100)
  const warm = outdoor(t) + 14 + (pumps.running ? 30 : 0)
  pumps.bearing = toward(pumps.bearing, warm, shareOf(dt, 600)) + (random() - 0.5) * 0.3
}

const tenths = (value: number) => Math.round(value * 10) / 10
const flowOf = ({ running }: Pumps) => (running ? 88 : 0)

const ovenTags: Record<string, (oven: Oven) => number> = {
  'oven.conveyor.speed': ({ speed }) => Math.round(speed * 100) / 100,
  'oven.energy': ({ energy }) => tenths(energy),
  'oven.products': ({ products }) => products,
}
for (const zone of [0, 1, 2]) {
  ovenTags[`oven.zone${zone + 1}.temperature`] = ({ temperature }) => tenths(temperature[zone] ?? 0)
  ovenTags[`oven.zone${zone + 1}.power`] = ({ power }) => tenths(power[zone] ?? 0)
}
const pumpTags: Record<string, (pumps: Pumps) => number> = {
  'pumps.level': ({ level }) => Math.round(level * 100) / 100,
  'pumps.inflow': ({ inflow }) => tenths(inflow),
  'pumps.flow': flowOf,
  'pumps.pressure': (pumps) =>
    Math.round((1.1 + pumps.level / 250 + (flowOf(pumps) / 180) ** 2 * 3.4) * 100) / 100,
  'pumps.pump1.bearing': ({ bearing }) => tenths(bearing),
}

/** Tags for which there is a made-up past. */
export const demoHistoryTags: readonly string[] = [
  ...Object.keys(ovenTags),
  ...Object.keys(pumpTags),
]

/**
 * What a demo tag would have been from `fromMs` to `toMs` (without it), every `stepMs`: the physics of
 * the plant with day and night and shifts. The same for the same arguments.
 */
export function* demoHistory(
  tag: string,
  fromMs: number,
  toMs: number,
  stepMs: number,
): Generator<Sample> {
  const readOven = ovenTags[tag]
  const readPumps = pumpTags[tag]
  if (!readOven && !readPumps) throw new Error(`there is no demo history of ${tag}`)
  const oven: Oven = {
    temperature: [90, 90, 90],
    power: [0, 0, 0],
    speed: 0,
    energy: 0,
    products: 0,
  }
  const pumps: Pumps = { level: 50, inflow: 40, running: false, bearing: 30, fault: 0 }
  const random = randomOf(Math.floor(fromMs / 1_000))
  const start = fromMs - Math.ceil(warmUpMs / stepMs) * stepMs
  for (let t = start; t < toMs; t += stepMs) {
    const around = { t, dt: stepMs / 1_000, random }
    if (readOven) stepOven(oven, around)
    else stepPumps(pumps, around)
    if (t >= fromMs) yield { t, v: readOven?.(oven) ?? readPumps?.(pumps) ?? 0 }
  }
}
