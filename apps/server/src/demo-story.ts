import type { Incident } from '@longreach/edge/plant-plan'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** Time on an earlier day: so many days before the demo began, at this hour (UTC). */
const daysBefore = (began: number, days: number, hour: number) =>
  Math.floor((began - days * dayMs) / dayMs) * dayMs + hour * hourMs

type Lasting = { minutes: number; part?: number }
const lasting = (
  kind: Incident['kind'],
  from: number,
  { minutes, part = 0 }: Lasting,
): Incident => ({ kind, from, to: from + minutes * minuteMs, part })

/** Incidents of the oven line in its thirty days: two faults, a power cut, two lost connections. */
export const ovenIncidents = (began: number): Incident[] => [
  lasting('unpowered', daysBefore(began, 17, 22.1), { minutes: 50 }),
  lasting('offline', daysBefore(began, 9, 10), { minutes: 25 }),
  lasting('stuckHeater', daysBefore(began, 6, 9.7), { minutes: 12, part: 1 }),
  lasting('stopped', daysBefore(began, 2, 14.4), { minutes: 70 }),
  lasting('offline', began - 9 * hourMs, { minutes: 7 }),
]

/**
 * Incidents of the pump station: a dry bearing, which trips its pump repeatedly, and two lost
 * connections.
 */
export const stationIncidents = (began: number): Incident[] => [
  lasting('offline', daysBefore(began, 12, 2.5), { minutes: 95 }),
  lasting('dryBearing', daysBefore(began, 4, 6), { minutes: 80 }),
  lasting('offline', began - 15 * hourMs, { minutes: 4 }),
]

/**
 * Incidents of a customer's oven: a power cut and a lost connection, on days that depend on
 * `index`.
 */
export const fleetIncidents = (began: number, index: number): Incident[] => [
  lasting('unpowered', daysBefore(began, 20 - index, 3 + index), { minutes: 20 + 9 * index }),
  lasting('offline', daysBefore(began, 3 + index, 11), { minutes: 6 + 2 * index }),
  lasting('offline', began - (6 + index) * hourMs, { minutes: 3 + index }),
]

type StoryComment = {
  machine: 'oven' | 'pumps'
  by: string
  modelPath: string
  at: number
  until: number
  text: string
}

/** Comments of people about the incidents. */
export function storyComments(began: number): StoryComment[] {
  const [, , stuck, stopped] = ovenIncidents(began)
  const [, dry] = stationIncidents(began)
  const all = [
    {
      machine: 'oven',
      by: 'tom',
      modelPath: 'OvenLine:1/zone2/temperature',
      span: stuck,
      text: 'Over-temperature in zone 2: its relay stuck closed and the heater stayed on. Relay replaced, the batch was discarded.',
    },
    {
      machine: 'oven',
      by: 'eva',
      modelPath: 'OvenLine:1/conveyor/speed',
      span: stopped,
      text: 'Conveyor stopped: the chain had jumped off a sprocket. Tensioned again; the zones were kept hot meanwhile.',
    },
    {
      machine: 'pumps',
      by: 'paola',
      modelPath: 'PumpStation:1/pump1/bearing',
      span: dry,
      text: 'Pump 1 tripped several times by its bearing temperature. The bearing was dry; greased, and fine since.',
    },
  ] as const
  return all.flatMap(({ span, ...comment }) =>
    span ? [{ ...comment, at: span.from, until: span.to }] : [],
  )
}
