import { daysOf } from '@longreach/calendar/days'
import { clockInstant } from '@longreach/rules/schedule'
import type { NotificationSettings } from '../rules/contract.ts'

type Digest = NonNullable<NotificationSettings['longreach']['digest']>

const hourMs = 3_600_000

/** Next time of a digest after `now`: the next of its times of day, or the next multiple of its hours since midnight of 1970 UTC. */
export function nextDigest({ at, everyH }: Digest, zone: string, now: Date) {
  const t = now.getTime()
  if (everyH !== undefined) {
    const every = everyH * hourMs
    return new Date((Math.floor(t / every) + 1) * every)
  }
  const { dayAt } = daysOf(zone)
  const minutes = (at ?? []).map((text) => {
    const [hours = 0, rest = 0] = text.split(':').map(Number)
    return hours * 60 + rest
  })
  const today = dayAt(t)
  // A day that the zone leaves out has no times of its own.
  const next = [0, 1, 2].flatMap((days) =>
    minutes.map((minute) => clockInstant(today + days, minute, zone)),
  )
  return new Date(Math.min(...next.filter((one) => one > t)))
}
