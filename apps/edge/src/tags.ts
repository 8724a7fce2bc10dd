import type { Datatype, Value } from '@longreach/device-protocol/value'

/** What a source can read; names are unique in one agent. */
export type Tag = { name: string; type: Datatype; writable?: boolean }

/**
 * One observation: a value that was true at `t` (ms since 1970), or that there is none and why. The
 * machine itself may say that a value is uncertain.
 */
export type Reading = { tag: string; t: number } & (
  | { good: true; value: Value; uncertain?: true }
  | { good: false; reason: string }
)
export type Report = (readings: readonly Reading[]) => void

/** A machine or service whose values the agent reads. It reconnects by itself for as long as it runs. */
export type Source = {
  name: string
  /** May grow while the source runs. */
  tags: () => readonly Tag[]
  start: (report: Report) => void
  /** Write, read back, and answer what the machine holds now. Throws when it did not take the value. */
  write: (tag: string, value: Value) => Promise<Value>
  stop: () => Promise<void>
}

export const goodReading = (tag: string, value: Value, t = Date.now()): Reading => ({
  tag,
  t,
  good: true,
  value,
})

/** A value whose machine does not vouch for it. */
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

/** The last observation of every tag. */
export function createTagTable() {
  const last = new Map<string, Reading>()
  return {
    /** Keep the readings; the ones that turned from good to bad or back are returned, to be logged. */
    accept(readings: readonly Reading[]): Reading[] {
      return readings.filter((reading) => {
        const before = last.get(reading.tag)
        last.set(reading.tag, reading)
        return before ? before.good !== reading.good : !reading.good
      })
    },
    /** The value of a tag that is known and good. */
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
