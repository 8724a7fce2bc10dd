const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Times for which something is shelved, in minutes. */
export const shelfMinutes = [15, 30, 60, 240, 480, 1_440, 4_320, 10_080] as const
type ShelfMinutes = (typeof shelfMinutes)[number]

/** Choice of an end: minutes from now, or a time that is written. */
export type EndChoice = { minutes: ShelfMinutes } | { written: string }

/** Time over which a shelf needs the right to change alarms. */
export const plainMs = 8 * hourMs

/** End of a choice in ms; undefined while nothing readable is written. */
export function shelfEndOf(choice: EndChoice, now: number): number | undefined {
  if ('minutes' in choice) return now + choice.minutes * minuteMs
  const at = new Date(choice.written).getTime()
  return Number.isNaN(at) ? undefined : at
}

/** Time as a field of date and time writes it, in the zone of the browser. */
export function toWritten(at: number) {
  const local = new Date(at - new Date(at).getTimezoneOffset() * minuteMs)
  return local.toISOString().slice(0, 16)
}

/** Time that remains, as its largest unit with the next one: `2 d 3 h`, `14 min`. */
export function remainingParts(ms: number): { days: number; hours: number; minutes: number } {
  const minutes = Math.max(0, Math.ceil(ms / minuteMs))
  return {
    days: Math.floor(minutes / 1_440),
    hours: Math.floor((minutes % 1_440) / 60),
    minutes: minutes % 60,
  }
}
