import type { Policy, Trigger } from './preset-tree-rules.ts'

/** Fewer ms between two values of a tag need the feature for fast values. */
export const usualLeastMs = 1_000

export const triggerTypes = ['onchange', 'timer', 'onlevel', 'fieldchange', 'fieldlevel'] as const
type TriggerType = (typeof triggerTypes)[number]

/** Triggers that send more often than devices usually may; the editor refuses them without the feature. */
export const tooFast = ({ triggers = [] }: Policy) =>
  triggers.filter(({ type, ...trigger }) => {
    const pause = trigger[type === 'timer' ? 'intervalMs' : 'minIntervalMs']
    // No pause was asked for: the device's own rhythm of a second holds.
    return typeof pause === 'number' && pause > 0 && pause < usualLeastMs
  })

/** A trigger of a kind as it begins. */
export function freshTrigger(type: TriggerType): Trigger {
  const change = { changeMask: 'value', minIntervalMs: usualLeastMs, skipFirstNChanges: 0 }
  if (type === 'timer') return { type, intervalMs: 60_000 }
  if (type === 'onlevel') return { type, ...change, level: 0 }
  if (type === 'fieldlevel') return { type, fieldName: '', ...change, level: 0 }
  return type === 'fieldchange' ? { type, fieldName: '', ...change } : { type, ...change }
}

/** Units of lengths of time, in ms. */
export const durationUnits = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 } as const

/** The largest unit in which a length of time is a whole number. */
export function unitOf(ms: number | undefined): keyof typeof durationUnits {
  if (ms === undefined || ms === 0 || ms % 1_000 !== 0) return 'ms'
  if (ms % 60_000 !== 0) return 's'
  return ms % 3_600_000 === 0 ? 'h' : 'min'
}
