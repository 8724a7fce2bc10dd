import { act, type OccurrenceState, requiredOf } from '@longreach/rules/act'
import type { z } from 'zod'
import type { AlarmDevice } from '../devices/device-store.ts'
import type { RuleChange, RuleChanged, SourceValue } from './contract.ts'
import type { Cause, ChangeKind, Edits } from './edits.ts'
import {
  isOpen,
  newOccurrence,
  notBelowLadder,
  type Occurrence,
  sourceOfRule,
  stateOf,
} from './occurrence.ts'
import type { RuleFacts } from './rule-facts.ts'
import { descriptionOf, type StoredWords } from './rule-text.ts'

/** Instance of a rule on a device, whose alarm changes. */
export type RuleAlarm = {
  device: AlarmDevice
  facts: RuleFacts
  event: Pick<RuleChanged, 'deviceId' | 'ruleId' | 'ruleVersion' | 'instance' | 'heardAt'>
}

type Change = z.output<typeof RuleChange>
type Leveled = Extract<Change, { kind: 'raise' | 'severity' }>

/** Takes a change of a rule's alarm after all that were taken before; one that was taken changes nothing. */
export function takeRuleChange(edits: Edits, alarm: RuleAlarm, change: Change): void {
  const row = edits.newest(alarm.device.device_id, sourceOf(alarm))
  if (row && change.t < row.last_t.getTime()) return
  if (row && edits.has(row, change.t, change.kind)) return
  const taking: Taking = { edits, alarm, row }
  if (change.kind === 'raise' || change.kind === 'severity') takeLevel(taking, change)
  else if (change.kind === 'return') takeReturn(taking, change)
  else takeMark(taking, change)
}

/** Change that is taken, with the newest occurrence of its source. */
type Taking = { edits: Edits; alarm: RuleAlarm; row: Occurrence | undefined }

/** Takes a further raise of an alarm that chatters, and suppression; one that was never raised has no row. */
function takeMark({ edits, alarm, row }: Taking, change: Change) {
  if (!row || !isOpen(row)) return
  if (change.kind === 'again' && row.active) {
    const patch = { raises: row.raises + 1, ...at(change) }
    edits.change(row, patch, causeOf(alarm, change, 'again'))
  }
  if (change.kind !== 'hidden' && change.kind !== 'shown') return
  const suppressed = change.kind === 'hidden'
  if (row.suppressed === suppressed) return
  edits.change(row, { suppressed, ...at(change) }, causeOf(alarm, change, change.kind))
}

export const sourceOf = ({ event: { ruleId, instance } }: Pick<RuleAlarm, 'event'>) =>
  sourceOfRule(ruleId, instance)

const at = ({ t }: { t: number }) => ({ last_t: new Date(t) })

/** Cause of a change of a rule. */
const causeOf = (
  { event }: Pick<RuleAlarm, 'event'>,
  { t, kind: from }: Pick<Change, 't' | 'kind'>,
  kind: ChangeKind,
): Cause => ({ kind, t, heard: event.heardAt, from })

function takeLevel(taking: Taking, change: Leveled) {
  const { edits, alarm, row } = taking
  const state = row ? stateOf(row) : 'closed'
  const event = row && change.severity > row.severity ? 'worse' : 'raise'
  const acted = act(state, event, row ? needsOf(row) : alarm.facts.needs)
  // The change of a level raises nothing, unless the alarm was cleared and became worse.
  const isRaise = change.kind === 'raise' || state === 'CA'
  if (acted.kind === 'new' && isRaise) return raiseAnew(taking, state, change)
  if (!row || (acted.kind !== 'again' && acted.kind !== 'severity')) return
  const { words } = change
  const severity = notBelowLadder(row, change.severity)
  const leveled = {
    severity,
    max_severity: Math.max(row.max_severity, severity),
    words: storedWords(words),
    ...at(change),
  }
  const again = { raises: row.raises + 1, returned_t: null, ...flagsOf(acted.state, row) }
  const patch = acted.kind === 'again' ? { ...leveled, ...again } : leveled
  edits.change(row, patch, causeOf(alarm, change, acted.kind))
}

/** Begins a new occurrence; one that was cleared while active ends before. */
function raiseAnew({ edits, alarm, row }: Taking, state: OccurrenceState, change: Leveled) {
  if (row && state === 'CA') {
    const patch = { active: false, returned_t: new Date(change.t), ...at(change) }
    edits.change(row, patch, { ...causeOf(alarm, change, 'closed'), reason: 'worse' })
  }
  beginOccurrence(edits, alarm, change)
}

function takeReturn({ edits, alarm, row }: Taking, change: Extract<Change, { kind: 'return' }>) {
  if (!row) return
  const event = change.reason === 'rule_changed' ? 'ruleGone' : 'return'
  const acted = act(stateOf(row), event, needsOf(row))
  if (acted.kind !== 'moved') return
  const patch = { ...flagsOf(acted.state, row), ...at(change), suppressed: false }
  const cause = causeOf(alarm, change, acted.state === 'closed' ? 'closed' : 'returned')
  const ended = row.active ? { returned_t: new Date(change.t) } : {}
  edits.change(
    row,
    { ...patch, ...ended },
    {
      ...cause,
      ...(change.reason && { reason: change.reason }),
    },
  )
}

/** Needs of an occurrence: those of the rule at its raise. */
export const needsOf = ({ needs_ack: ack, needs_reset: reset }: Occurrence) => ({ ack, reset })

/** Columns of a state; a clear takes what was required away and leaves the alarm active. */
export function flagsOf(state: OccurrenceState, row: Occurrence) {
  const { isActive, ackRequired, resetRequired } = requiredOf(state, needsOf(row))
  return {
    active: isActive || state === 'CA',
    cleared: state === 'CA' || state === 'C',
    ack_required: ackRequired,
    reset_required: resetRequired,
  }
}

/** Words as they are stored: JSON has neither NaN nor undefined. */
const storedWords = ({ value, limit, values }: Leveled['words']): StoredWords => ({
  value,
  limit: limit ?? null,
  values,
})

function valueOf({ value }: StoredWords): SourceValue | null {
  if (typeof value === 'number') return { type: 'double', value }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  return typeof value === 'string' ? { type: 'string', value } : null
}

/** Begins an occurrence of a rule, with the facts of the rule at that time; undefined for one that is there. */
export function beginOccurrence(
  edits: Edits,
  alarm: RuleAlarm,
  change: Pick<Leveled, 't' | 'kind' | 'severity' | 'words'>,
): Occurrence | undefined {
  const row = occurrenceOfRule(alarm, change)
  const known = edits.get(row.id)
  if (!known) {
    edits.add(row, causeOf(alarm, change, 'raised'))
    return row
  }
  if (!known.withdrawn) return undefined
  const { changes, comments, comment, assignee } = known
  const patch = { ...row, changes, comments, comment, assignee, withdrawn: false }
  edits.change(known, patch, causeOf(alarm, change, 'restored'))
  return known
}

/** New occurrence of a rule, active. */
export function occurrenceOfRule(
  { device, facts, event }: RuleAlarm,
  { t, severity, words }: Pick<Leveled, 't' | 'severity' | 'words'>,
): Occurrence {
  const { rule, needs } = facts
  const { ruleId, ruleVersion, instance, heardAt } = event
  const stored = storedWords(words)
  const { isActive, ackRequired, resetRequired } = requiredOf(needs.ack ? 'UA' : 'AA', needs)
  return newOccurrence({
    start: t,
    heard: heardAt,
    org: device.org,
    device_id: device.device_id,
    source: sourceOf({ event }),
    rule_id: ruleId,
    rule_version: ruleVersion,
    instance,
    name: rule.name,
    description: descriptionOf(facts, device.label, stored),
    class: rule.class,
    group_name: rule.group ?? null,
    severity,
    active: isActive,
    ack_required: ackRequired,
    reset_required: resetRequired,
    needs_ack: needs.ack,
    needs_reset: needs.reset,
    paths: facts.pathsOf(instance),
    words: stored,
    value: valueOf(stored),
  })
}
