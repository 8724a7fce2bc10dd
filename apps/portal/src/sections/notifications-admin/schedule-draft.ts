import { fieldText, instantOfField } from '@longreach/calendar/wall-time'
import type { Input } from '@longreach/kit/contract'
import type { notificationsContract } from '@longreach/notifications/contract'
import { browserZone } from '../../parts/look/time-zone.ts'
import type { Schedule } from '../../parts/notifications/notification-calls.ts'

type Body = Input<(typeof notificationsContract)['endpoints']['createSchedule']>['body']

/** Layer as the form has it; `from` and `to` are `datetime-local` texts by the clock of the schedule. */
export type LayerDraft = {
  key: number
  people: string[]
  count: number
  unit: 'days' | 'weeks'
  day: string
  time: string
  from: string
  to: string
}
export type OverrideDraft = { key: number; person: string; from: string; to: string }
type ScheduleDraft = {
  name: string
  zone: string
  layers: LayerDraft[]
  overrides: OverrideDraft[]
}

const dayMs = 86_400_000

/** Draft of a new layer, which begins with the present day. */
export const newLayer = (key: number, zone: string): LayerDraft => ({
  key,
  people: [],
  count: 1,
  unit: 'weeks',
  day: '1',
  time: '08:00',
  from: fieldText(Date.now() - (Date.now() % 60_000), zone),
  to: '',
})

/** Draft of an override of the next day. */
export const newOverride = (key: number, zone: string): OverrideDraft => {
  const now = Date.now() - (Date.now() % 60_000)
  return { key, person: '', from: fieldText(now, zone), to: fieldText(now + dayMs, zone) }
}

/** Draft of a new schedule: one layer of weeks, by the clock of the browser. */
export const newSchedule = (): ScheduleDraft => {
  const zone = browserZone()
  return { name: '', zone, layers: [newLayer(0, zone)], overrides: [] }
}

/** Draft of a schedule that is there. */
export const toScheduleDraft = ({ name, zone, layers, overrides }: Schedule): ScheduleDraft => ({
  name,
  zone,
  layers: layers.map(({ people, everyDays, handOver, from, to }, key) => {
    const isWeeks = everyDays % 7 === 0
    return {
      key,
      people,
      count: isWeeks ? everyDays / 7 : everyDays,
      unit: isWeeks ? 'weeks' : 'days',
      day: String(handOver.day),
      time: handOver.time,
      from: fieldText(from, zone),
      to: to === undefined ? '' : fieldText(to, zone),
    }
  }),
  overrides: overrides.map(({ person, from, to }, key) => ({
    key,
    person,
    from: fieldText(from, zone),
    to: fieldText(to, zone),
  })),
})

/** Body of a draft; the server names what is missing. */
export function toScheduleBody({ name, zone, layers, overrides }: ScheduleDraft): Body {
  const at = (text: string) => instantOfField(text, zone) ?? 0
  return {
    name: name.trim(),
    zone,
    layers: layers.map(({ people, count, unit, day, time, from, to }) => ({
      people,
      everyDays: unit === 'weeks' ? count * 7 : count,
      handOver: { day: Number(day), time },
      from: at(from),
      ...(to !== '' && { to: at(to) }),
    })),
    overrides: overrides.map(({ person, from, to }) => ({
      person: person.trim(),
      from: at(from),
      to: at(to),
    })),
  }
}
