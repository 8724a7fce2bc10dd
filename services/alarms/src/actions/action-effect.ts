import { act } from '@longreach/rules/act'
import { isOpen, type Occurrence, stateOf } from '../occurrences/occurrence.ts'
import { flagsOf, needsOf } from '../occurrences/rule-changes.ts'
import type { skipReasons } from './contract.ts'

export type Action = 'ack' | 'reset' | 'clear'
export type SkipReason = (typeof skipReasons)[number]

/**
 * Effect of an action on an alarm: columns that change, a command to the device, or the reason for which
 * it changes nothing.
 */
type Effect =
  | { kind: 'change'; patch: Partial<Occurrence> }
  | { kind: 'command' }
  | { kind: 'skip'; reason: SkipReason }

const skip = (reason: SkipReason): Effect => ({ kind: 'skip', reason })

/** Commands of an alarm that the device has not answered yet. */
export type Pending = ReadonlySet<'ack' | 'reset'>

/** Effect of an action on an alarm of a rule, or of a device. */
export function effectOf(row: Occurrence, action: Action, pending: Pending): Effect {
  if (row.withdrawn) return skip('closed')
  if (row.rule_id === null) return effectOnDevice(row, action, pending)
  const acted = act(stateOf(row), action, needsOf(row))
  if (acted.kind === 'skipped') return skip(acted.reason)
  return { kind: 'change', patch: flagsOf(acted.state, row) }
}

function effectOnDevice(row: Occurrence, action: Action, pending: Pending): Effect {
  if (!isOpen(row)) return skip('closed')
  if (action === 'clear') return { kind: 'change', patch: clearedFlags }
  if (pending.has(action)) return skip('already')
  if (action === 'ack' && !row.ack_required) return skip('already')
  if (action === 'reset' && row.ack_required) return skip('ack_first')
  if (action === 'reset' && row.active) return skip('still_active')
  return row.certificate === null || row.certificate === ''
    ? { kind: 'change', patch: aloneFlags(action) }
    : { kind: 'command' }
}

const clearedFlags = { cleared: true, ack_required: false, reset_required: false }

/** Columns of an alarm of a device that the platform acknowledges or resets alone. */
export const aloneFlags = (action: 'ack' | 'reset'): Partial<Occurrence> =>
  action === 'ack'
    ? { ack_required: false, platform_action: true }
    : { reset_required: false, platform_action: true }

/** Kind of the change that an action makes. */
export const kindOf = { ack: 'acknowledged', reset: 'reset', clear: 'cleared' } as const

/** Columns that every action of a person changes. */
export const traceOf = (
  action: Action,
  { at, by, comment }: { at: Date; by: string; comment: string | undefined },
): Partial<Occurrence> => ({
  ...(action === 'ack' && { acked_t: at, acked_by: by, action: 'ACK' }),
  ...(action === 'reset' && { action: 'RESET' }),
  ...(comment !== undefined && comment !== '' && { comment }),
})
