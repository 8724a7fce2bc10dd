import { act, type OccurrenceState, requiredOf } from '@longreach/rules/act'
import type { AlarmDevice } from '../devices/device-store.ts'
import type { RuleChanged, SourceValue } from './contract.ts'
import type { Cause, ChangeKind, Edits } from './edits.ts'
import { newOccurrence, type Occurrence, sourceOfRule, stateOf } from './occurrence.ts'
import type { RuleFacts } from './rule-facts.ts'
import { descriptionOf, type StoredWords } from './rule-text.ts'

/** Instance of a rule on a device, whose alarm changes. */
export type RuleAlarm = {
  device: AlarmDevice
  facts: RuleFacts
  event: Pick<RuleChanged, 'deviceId' | 'ruleId' | 'ruleVersion' | 'instance' | 'heardAt'>
}

type RuleChange = RuleChanged['changes'][number]
type Leveled = Extract<RuleChange, { kind: 'raise' | 'severity' }>

/** Time of the server ahead of which no time orders changes: a clock may be wrong by years. */
const aheadMs = 60_000

/** Time by which changes of a source are in order. */
export const orderOf = (t: number, heard: number) => Math.min(t, heard + aheadMs)

/** Takes a change of a rule's alarm after all that were taken before; one that was taken changes nothing. */
export function takeRuleChange(edits: Edits, alarm: RuleAlarm, change: RuleChange): void {
  const row = edits.newest(alarm.device.device_id, sourceOf(alarm))
  if (row && change.t < row.last_t.getTime()) return
  if (row && edits.has(row, change.t, change.kind)) return
  switch (change.kind) {
    case 'raise':
    case 'severity':
      return takeLevel(edits, alarm, row, change)
    case 'again':
      if (row?.active === true && !row.cleared) {
        edits.change(
          row,
          { raises: row.raises + 1, ...at(change) },
          causeOf(alarm, change, 'again'),
        )
      }
      return undefined
    case 'return':
      return row && takeReturn(edits, alarm, row, change)
    case 'hidden':
    case 'shown':
      if (row && row.suppressed !== (change.kind === 'hidden')) {
        const patch = { suppressed: change.kind === 'hidden', ...at(change) }
        edits.change(row, patch, causeOf(alarm, change, change.kind))
      }
      return undefined
    case 'suppressed':
      return undefined // It was never raised, so there is no occurrence.
  }
}

export const sourceOf = ({ event: { ruleId, instance } }: Pick<RuleAlarm, 'event'>) =>
  sourceOfRule(ruleId, instance)

const at = ({ t }: { t: number }) => ({ last_t: new Date(t) })

/** Cause of a change of a rule. */
export const causeOf = (
  { event }: Pick<RuleAlarm, 'event'>,
  { t, kind: from }: Pick<RuleChange, 't' | 'kind'>,
  kind: ChangeKind,
): Cause => ({ kind, t, heard: event.heardAt, from })

function takeLevel(edits: Edits, alarm: RuleAlarm, row: Occurrence | undefined, change: Leveled) {
  const state = row ? stateOf(row) : 'closed'
  const event = row && change.severity > row.severity ? 'worse' : 'raise'
  const acted = act(state, event, row ? needsOf(row) : alarm.facts.needs)
  if (acted.kind === 'new') {
    // The change of a level raises nothing, unless the alarm was cleared and became worse.
    if (change.kind === 'severity' && state !== 'CA') return
    if (row && state === 'CA') {
      edits.change(
        row,
        { active: false, returned_t: new Date(change.t), ...at(change) },
        {
          ...causeOf(alarm, change, 'closed'),
          reason: 'worse',
        },
      )
    }
    return beginOccurrence(edits, alarm, change)
  }
  if (!row || (acted.kind !== 'again' && acted.kind !== 'severity')) return
  const { severity, words } = change
  const leveled = {
    severity,
    max_severity: Math.max(row.max_severity, severity),
    words: storedWords(words),
    ...at(change),
  }
  if (acted.kind === 'severity') {
    return edits.change(row, leveled, causeOf(alarm, change, 'severity'))
  }
  const again = { ...leveled, raises: row.raises + 1, returned_t: null }
  return edits.change(
    row,
    { ...again, ...flagsOf(acted.state, row) },
    causeOf(alarm, change, 'again'),
  )
}

function takeReturn(
  edits: Edits,
  alarm: RuleAlarm,
  row: Occurrence,
  change: Extract<RuleChange, { kind: 'return' }>,
) {
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
export const storedWords = ({ value, limit, values }: Leveled['words']): StoredWords => ({
  value,
  limit: limit ?? null,
  values,
})

function valueOf({ value }: StoredWords): SourceValue | null {
  if (typeof value === 'number') return { type: 'double', value }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  return typeof value === 'string' ? { type: 'string', value } : null
}

/** Begins an occurrence of a rule, with the facts of the rule at that time. */
export function beginOccurrence(
  edits: Edits,
  alarm: RuleAlarm,
  change: Pick<Leveled, 't' | 'kind' | 'severity' | 'words'>,
) {
  const row = occurrenceOfRule(alarm, change)
  const known = edits.get(row.id)
  if (!known) edits.add(row, causeOf(alarm, change, 'raised'))
  else if (known.withdrawn) {
    const patch = { ...row, changes: known.changes, withdrawn: false, comments: known.comments }
    edits.change(known, patch, causeOf(alarm, change, 'restored'))
  }
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
