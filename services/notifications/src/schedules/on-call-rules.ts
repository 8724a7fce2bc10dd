import { daysOf } from '@longreach/calendar/days'
import { clockInstant } from '@longreach/rules/schedule'
import type { ScheduleSettings } from './contract.ts'

type Layer = ScheduleSettings['layers'][number]

/** Stretch of time with who is on call; null is a gap. */
export type Turn = { person: string | null; from: number; to: number }

const weekday = (day: number) => (((day + 4) % 7) + 7) % 7 // 1970-01-01 was a Thursday

/** Rotation of a layer: whose turn it is, and when it ends. */
function rotationOf({ people, everyDays, handOver, from }: Layer, zone: string) {
  const [hours = 0, minutes = 0] = handOver.time.split(':').map(Number)
  const startOf = (day: number) => clockInstant(day, hours * 60 + minutes, zone)
  const { dayAt } = daysOf(zone)
  const first = firstHandOver(dayAt(from))
  const beginOf = (turn: number) => startOf(first + turn * everyDays)

  /** Last hand-over that is not after the begin of the layer. */
  function firstHandOver(day: number) {
    const isWeekly = everyDays % 7 === 0
    const back = isWeekly ? (weekday(day) - handOver.day + 7) % 7 : 0
    const candidate = day - back
    return startOf(candidate) > from ? candidate - (isWeekly ? 7 : 1) : candidate
  }

  return {
    at(t: number) {
      let turn = Math.floor((dayAt(t) - first) / everyDays)
      while (beginOf(turn) > t) turn -= 1
      while (beginOf(turn + 1) <= t) turn += 1
      const place = ((turn % people.length) + people.length) % people.length
      return { person: people[place] ?? null, end: beginOf(turn + 1) }
    },
  }
}

const covers = ({ from, to }: { from: number; to?: number | undefined }, t: number) =>
  from <= t && (to === undefined || t < to)

/** Schedule that can be asked for any time. */
export function compileOnCall({ zone, layers, overrides }: ScheduleSettings) {
  const rotations = layers.map((layer) => ({ layer, rotation: rotationOf(layer, zone) }))
  const edges = [...layers, ...overrides].flatMap(({ from, to }) =>
    to === undefined ? [from] : [from, to],
  )

  function personAt(t: number): string | null {
    const override = overrides.findLast((one) => covers(one, t))
    if (override) return override.person
    return rotations.findLast(({ layer }) => covers(layer, t))?.rotation.at(t).person ?? null
  }
  /** Next time at which somebody else may be on call. */
  function nextEdge(t: number) {
    const ends = rotations.flatMap(({ layer, rotation }) =>
      covers(layer, t) ? [rotation.at(t).end] : [],
    )
    return Math.min(...[...ends, ...edges].filter((edge) => edge > t))
  }
  /** Turns from a time to another, in order and without holes; a gap has nobody. */
  function turnsBetween(from: number, to: number): Turn[] {
    const turns: Turn[] = []
    for (let t = from; t < to;) {
      const end = Math.min(nextEdge(t), to)
      const person = personAt(t)
      const last = turns.at(-1)
      if (last && last.person === person) last.to = end
      else turns.push({ person, from: t, to: end })
      t = end
    }
    return turns
  }
  return { personAt, turnsBetween }
}

/** Person who is on call at a time; null in a gap. */
export const onCallAt = (schedule: ScheduleSettings, t: number) =>
  compileOnCall(schedule).personAt(t)
