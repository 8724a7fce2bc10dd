import type { Datatype, Value } from '@longreach/device-protocol/value'

/** Tag of a source; names are unique in one agent. */
export type Tag = { name: string; type: Datatype; writable?: boolean }

/**
 * Observation: a value measured at `t` (ms since 1970), or that there is none and why. The machine
 * may mark a value as uncertain.
 */
export type Reading = { tag: string; t: number } & (
  | { good: true; value: Value; uncertain?: true }
  | { good: false; reason: string }
)
export type Report = (readings: readonly Reading[]) => void

/** Machine or service whose values the agent reads. It reconnects by itself while it runs. */
export type Source = {
  name: string
  /** Tags; more may appear while the source runs. */
  tags: () => readonly Tag[]
  start: (report: Report) => void
  /** Writes, reads back, and returns the machine's value. Throws when the machine refused it. */
  write: (tag: string, value: Value) => Promise<Value>
  stop: () => Promise<void>
}

export const goodReading = (tag: string, value: Value, t = Date.now()): Reading => ({
  tag,
  t,
  good: true,
  value,
})

/** Reading that the machine marks as uncertain. */
export const uncertainReading = (tag: string, value: Value, t = Date.now()): Reading => ({
  tag,
  t,
  good: true,
  value,
  uncertain: true,
})

export const badReading = (tag: string, reason: string, t = Date.now()): Reading => ({
  tag,
  t,
  good: false,
  reason,
})

export type TagTable = ReturnType<typeof createTagTable>

/** Table with the last observation of every tag. */
export function createTagTable() {
  const last = new Map<string, Reading>()
  return {
    /** Stores readings; returns those that changed between good and bad, for the log. */
    accept(readings: readonly Reading[]): Reading[] {
      return readings.filter((reading) => {
        const before = last.get(reading.tag)
        last.set(reading.tag, reading)
        return before ? before.good !== reading.good : !reading.good
      })
    },
    /** Value of a tag; undefined when it is unknown or bad. */
    value(tag: string): Value | undefined {
      const reading = last.get(tag)
      return reading?.good ? reading.value : undefined
    },
    isUncertain(tag: string): boolean {
      const reading = last.get(tag)
      return reading?.good === true && reading.uncertain === true
    },
    last: (tag: string) => last.get(tag),
  }
}

/** True for a number, a boolean or a text. */
export const isScalar = (raw: unknown): raw is number | boolean | string =>
  typeof raw === 'number' || typeof raw === 'boolean' || typeof raw === 'string'
