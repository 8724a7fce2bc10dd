import { act, type OccurrenceState } from '@longreach/rules/act'
import type { Change } from '@longreach/rules/change'
import { type Occurrence as Replayed, occurrencesOf } from '@longreach/rules/occurrences'
import { type Correction, isAfter, reconcile, type Stored } from '@longreach/rules/reconcile'
import type { RuleChanged } from './contract.ts'
import type { Cause, ChangeKind, Edits } from './edits.ts'
import { endedFlags, isOpen, notBelowLadder, type Occurrence } from './occurrence.ts'
import {
  beginOccurrence,
  flagsOf,
  needsOf,
  occurrenceOfRule,
  type RuleAlarm,
  sourceOf,
} from './rule-changes.ts'

type Again = NonNullable<RuleChanged['again']>

/**
 * Corrects the stored occurrences of a source after late values were judged: `changes` are all after
 * `since`. Nothing is deleted; what is not found any more is withdrawn.
 */
export function takeLateChanges(
  edits: Edits,
  alarm: RuleAlarm,
  changes: RuleChanged['changes'],
  again: Again,
): void {
  const { since } = again
  const rows = edits.ofSource(alarm.device.device_id, sourceOf(alarm))
  const after = rows.filter((row) => isAfter(storedOf(row), since))
  const found = occurrencesOf(changes.map(plainChange), openBefore(again))
  const replayed = merged(
    found.filter((one) => isAfter(one, since)),
    after,
  )
  const { lateNotifyMs } = alarm.facts.rule
  const now = { now: alarm.event.heardAt, lateNotifyMs }
  const late: Late = {
    edits,
    alarm,
    changes,
    rows: new Map(after.map((row) => [startOf(row), row])),
  }
  for (const correction of reconcile(after.map(storedOf), replayed, now)) correct(late, correction)
  hideLast(late, replayed.at(-1))
}

const startOf = ({ start_t }: Occurrence) => start_t.getTime()

const storedOf = (row: Occurrence): Stored => ({
  start: startOf(row),
  severity: row.severity,
  maxSeverity: row.max_severity,
  ...(!row.active && { end: (row.returned_t ?? row.start_t).getTime() }),
  ...(row.withdrawn && { isWithdrawn: true }),
})

/** Change without its words, which occurrences in time do not need. */
function plainChange(change: RuleChanged['changes'][number]): Change {
  if ('words' in change) return { ...change, words: { value: null, limit: null, values: {} } }
  if (change.kind !== 'return') return change
  const { t, reason } = change
  return { kind: 'return', t, ...(reason && { reason }) }
}

function openBefore({ open }: Again): Replayed | undefined {
  if (!open) return undefined
  const { end, isHidden, ...rest } = open
  return { ...rest, ...(end !== undefined && { end }), ...(isHidden && { isHidden }) }
}

/**
 * Occurrences of a replay, which knows no people, as they are stored: a raise before the one before was
 * acknowledged and reset belongs to that one.
 */
function merged(replayed: readonly Replayed[], rows: readonly Occurrence[]): Replayed[] {
  const known = new Map(rows.map((row) => [startOf(row), row]))
  const found: Replayed[] = []
  for (const one of replayed) {
    const last = found.at(-1)
    const row = last && known.get(last.start)
    if (!last || !row || known.has(one.start) || !isPending(row, one.start)) {
      found.push(one)
      continue
    }
    const { start, maxSeverity, raises } = last
    found[found.length - 1] = {
      ...one,
      start,
      maxSeverity: Math.max(maxSeverity, one.maxSeverity),
      raises: raises + one.raises,
    }
  }
  return found
}

/** True when somebody still had to acknowledge or reset the alarm at a time. */
function isPending(row: Occurrence, t: number) {
  if (row.withdrawn || (row.closed_t !== null && row.closed_t.getTime() <= t)) return false
  const acked = row.acked_t?.getTime() ?? Infinity
  return (row.needs_ack && acked > t) || row.needs_reset
}

type Late = {
  edits: Edits
  alarm: RuleAlarm
  changes: RuleChanged['changes']
  /** Stored occurrences by their start. */
  rows: Map<number, Occurrence>
}

function correct(late: Late, correction: Correction) {
  if (correction.kind === 'late') {
    return addLate(late, correction.occurrence, correction.announce)
  }
  if (correction.kind === 'raise') return addRaised(late, correction.occurrence)
  const row = late.rows.get(correction.start)
  if (!row) return undefined
  switch (correction.kind) {
    case 'withdraw':
      return withdraw(late, row)
    case 'severity':
      return changeLevel(late, row, correction)
    case 'restore':
      return reopen(late, row, 'restored', correction.end)
    case 'end':
      return row.active && correction.end !== undefined
        ? endRow(late, row, correction.end)
        : reopen(late, row, correction.end === undefined ? 'restored' : 'returned', correction.end)
  }
}

const causeAt = ({ alarm }: Late, kind: ChangeKind, t: number): Cause => ({
  kind,
  t,
  heard: alarm.event.heardAt,
  reason: 'late_values',
})

/** Sets the severity that late values found, unless the ladder has raised the alarm above it. */
function changeLevel(
  late: Late,
  row: Occurrence,
  found: Extract<Correction, { kind: 'severity' }>,
): void {
  const severity = notBelowLadder(row, found.severity)
  const max_severity = notBelowLadder(row, found.maxSeverity)
  if (severity === row.severity && max_severity === row.max_severity) return
  const cause = causeAt(late, 'severity', late.alarm.event.heardAt)
  late.edits.change(row, { severity, max_severity }, cause)
}

function withdraw(late: Late, row: Occurrence) {
  const { heardAt } = late.alarm.event
  const returned = row.active ? { returned_t: new Date(heardAt) } : {}
  const patch = { ...endedFlags, ...returned, withdrawn: true }
  late.edits.change(row, patch, causeAt(late, 'withdrawn', heardAt))
}

function endRow(late: Late, row: Occurrence, end: number) {
  const state: OccurrenceState = row.cleared ? 'CA' : row.ack_required ? 'UA' : 'AA'
  const acted = act(state, 'return', needsOf(row))
  const patch = { ...flagsOf(acted.state, row), ...returnTimes(row, end), suppressed: false }
  late.edits.change(row, patch, causeAt(late, acted.state === 'RU' ? 'returned' : 'closed', end))
}

const returnTimes = (row: Occurrence, end: number | undefined) =>
  end === undefined
    ? { returned_t: null }
    : {
        returned_t: new Date(end),
        last_t: new Date(Math.max(row.last_t.getTime(), end)),
        // One that was over when it returned is over at the other time.
        ...(row.closed_t !== null &&
          row.closed_t.getTime() === row.returned_t?.getTime() && { closed_t: new Date(end) }),
      }

/** Gives an occurrence another end, or none; withdrawn ones come back. */
function reopen(late: Late, row: Occurrence, kind: ChangeKind, end: number | undefined) {
  const state = stateAt(row, end)
  const flags = { ...flagsOf(state, row), withdrawn: false }
  const wanted = { ...row, ...flags }
  const other = otherOpen(late, row)
  const isFree = !isOpen(wanted) || other === undefined
  if (!isFree && end === undefined && other) supersedeLate(late, other, startOf(row))
  const patch = isFree || end === undefined ? flags : { ...flags, ...endedFlags }
  const cause = causeAt(late, kind, end ?? late.alarm.event.heardAt)
  late.edits.change(row, { ...patch, ...returnTimes(row, end) }, cause)
}

/** State of an occurrence that is active, or returned at `end`; who acknowledged or cleared it, did so. */
function stateAt(row: Occurrence, end: number | undefined): OccurrenceState {
  if (row.cleared) return end === undefined ? 'CA' : 'C'
  const isUnacked = row.needs_ack && row.acked_t === null
  if (end === undefined) return isUnacked ? 'UA' : 'AA'
  // What was over before stays over: it was acknowledged and reset, or nobody had to.
  if (row.closed_t !== null && !row.withdrawn) return 'closed'
  return act(isUnacked ? 'UA' : 'AA', 'return', needsOf(row)).state
}

const otherOpen = ({ edits, alarm }: Late, row: Occurrence | undefined) =>
  edits.ofSource(alarm.device.device_id, sourceOf(alarm)).find((one) => one !== row && isOpen(one))

function supersedeLate(late: Late, row: Occurrence, t: number) {
  const returned = row.active ? { returned_t: new Date(t) } : {}
  const cause = { ...causeAt(late, 'closed', late.alarm.event.heardAt), reason: 'superseded' }
  late.edits.change(row, { ...endedFlags, ...returned }, cause)
}

function raiseOf({ changes }: Late, { start, severity }: Replayed) {
  const raise = changes.find((one) => one.kind === 'raise' && one.t === start)
  const words = raise && 'words' in raise ? raise.words : { value: null, limit: null, values: {} }
  return { kind: 'raise', t: start, level: 0, severity, words } as const
}

/** Adds an alarm that came and went unnoticed; people have to acknowledge it if it was a moment ago. */
function addLate(late: Late, occurrence: Replayed, announce: boolean) {
  const row = occurrenceOfRule(late.alarm, raiseOf(late, occurrence))
  const end = occurrence.end ?? occurrence.start
  const state = act(row.ack_required ? 'UA' : 'AA', 'return', needsOf(row)).state
  const isAsked = announce && otherOpen(late, undefined) === undefined
  Object.assign(row, isAsked ? flagsOf(state, row) : endedFlags, {
    late: true,
    returned_t: new Date(end),
    last_t: new Date(end),
    max_severity: occurrence.maxSeverity,
    raises: occurrence.raises,
  })
  late.edits.add(row, { ...causeAt(late, 'late', end), from: 'raise' })
}

function addRaised(late: Late, occurrence: Replayed) {
  const other = otherOpen(late, undefined)
  if (other) supersedeLate(late, other, occurrence.start)
  const { severity, maxSeverity: max_severity, raises } = occurrence
  const row = beginOccurrence(late.edits, late.alarm, raiseOf(late, occurrence))
  if (row) late.edits.touch(row, { severity, max_severity, raises })
}

/** Sets whether the last occurrence is suppressed. */
function hideLast(late: Late, last: Replayed | undefined) {
  const row =
    last &&
    late.edits
      .ofSource(late.alarm.device.device_id, sourceOf(late.alarm))
      .find((one) => startOf(one) === last.start)
  if (!row || last.end !== undefined) return
  const suppressed = last.isHidden === true
  if (row.suppressed === suppressed) return
  const kind = suppressed ? 'hidden' : 'shown'
  late.edits.change(row, { suppressed }, causeAt(late, kind, late.alarm.event.heardAt))
}
