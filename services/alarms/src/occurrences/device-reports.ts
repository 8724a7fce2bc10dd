import type { AlarmDevice } from '../devices/device-store.ts'
import { type AlarmReport, stateBits } from './contract.ts'
import type { Cause, ChangeKind, Edits } from './edits.ts'
import {
  endedFlags,
  isOpen,
  newOccurrence,
  type Occurrence,
  occurrenceId,
  sourceOfName,
} from './occurrence.ts'

/** Person whose command to a device waits for its answer, with the comment that was given. */
type Order = { by: string; comment: string }
/** Commands that wait for an answer. */
export type Commanded = { ack?: Order; reset?: Order }

/** Report with what is known of its device and its alarm. */
type Reported = { device: AlarmDevice; report: AlarmReport; commanded: Commanded }

/** Bits that are known; others are of no meaning. */
const knownBits = 31

/** Time by which the changes of a device are in order: what comes from the future counts from its arrival. */
const orderOf = (t: number, heard: number) => Math.min(t, heard)

/** Occurrence that a report is about: the device knows it by its name and start. */
export const reportedId = ({ deviceId, name, startedAt }: AlarmReport) =>
  occurrenceId(deviceId, sourceOfName(name), startedAt)

/** Takes the report of a device; its bits decide. One that was taken changes nothing. */
export function takeReport(edits: Edits, reported: Reported): void {
  const { report } = reported
  const row = edits.get(reportedId(report))
  if (!row) return beginReported(edits, reported)
  const { changedAt: t, heardAt: heard } = report
  const from = fromOf(report)
  if (edits.has(row, t, from)) return confirm(edits, row, report)
  const open = edits.open(row.device_id, row.source)
  const isOlder = orderOf(t, heard) < row.last_t.getTime()
  if (isOlder || (open !== undefined && open !== row)) {
    return edits.record(row, { kind: 'late', t, heard, from }, shownReport(row, report))
  }
  if (row.cleared) return followCleared(edits, row, report)
  changeReported(edits, row, reported)
}

/** A device repeats its newest state: it still is so, and is told under this certificate. */
function confirm(
  edits: Edits,
  row: Occurrence,
  { certificate, changedAt, heardAt, state }: AlarmReport,
) {
  const isNewest =
    row.last_t.getTime() === orderOf(changedAt, heardAt) && row.bits === (state & knownBits)
  if (!isNewest || (row.certificate === certificate && !row.unconfirmed)) return
  edits.touch(row, { certificate, unconfirmed: false })
}

const fromOf = ({ state }: AlarmReport) => `d${state & knownBits}`

/** Flags of the state of a report; an alarm that is not enabled asks for nothing. */
function flagsOfReport({ state }: AlarmReport) {
  const has = (bit: number) => (state & bit) !== 0
  const enabled = has(stateBits.enabled)
  return {
    enabled,
    active: enabled && has(stateBits.active),
    ack_required: enabled && has(stateBits.ackRequired),
    reset_required: enabled && has(stateBits.resetRequired),
  }
}

const isAcked = ({ state }: AlarmReport) => (state & stateBits.acked) !== 0

/** Columns that a report brings with it, whatever it changes. */
const reportedContent = (report: AlarmReport) => ({
  description: report.description.slice(0, 10_000),
  tag: report.tag.slice(0, 1_000),
  severity: heldSeverity(report.severity),
  value: report.value,
  bits: report.state & knownBits,
  last_t: new Date(orderOf(report.changedAt, report.heardAt)),
  certificate: report.certificate,
  unconfirmed: false,
})

/** Severity as it was sent, within the integers of the database. */
const heldSeverity = (severity: number) =>
  Math.min(Math.max(severity, -2_147_483_648), 2_147_483_647)

/** State of a report in the history of an alarm that it does not change. */
const shownReport = (row: Occurrence, report: AlarmReport) => {
  const { enabled, active, ack_required, reset_required } = flagsOfReport(report)
  return {
    cleared: row.cleared,
    enabled,
    active,
    ackRequired: ack_required,
    resetRequired: reset_required,
    description: report.description.slice(0, 10_000),
    severity: heldSeverity(report.severity),
    value: report.value,
  }
}

function beginReported(edits: Edits, { device, report }: Reported) {
  const { changedAt: t, heardAt: heard, startedAt: start, name } = report
  const source = sourceOfName(name)
  const newest = edits.newest(device.device_id, source)
  const isPast =
    newest !== undefined &&
    orderOf(start, heard) < newest.start_t.getTime() &&
    orderOf(t, heard) < newest.last_t.getTime()
  const before = isPast ? undefined : edits.open(device.device_id, source)
  const from = fromOf(report)
  if (before) supersede(edits, before, { t, heard })
  const flags = isPast ? endedFlags : flagsOfReport(report)
  const row = newOccurrence({
    start,
    heard,
    org: device.org,
    device_id: device.device_id,
    source,
    name,
    ...reportedContent(report),
    ...flags,
    ...(isAcked(report) && { acked_t: new Date(t), action: 'ACK' as const }),
    ...(!flags.active && { returned_t: new Date(t) }),
    max_severity: heldSeverity(report.severity),
  })
  const isRaised = isOpen(row)
  row.late = !isRaised
  edits.add(row, {
    kind: isRaised ? 'raised' : 'late',
    t,
    heard,
    from,
    ...(before && { reason: 'supersedes' }),
  })
}

/** Ends the alarm that was open when the device began another one of the same name. */
function supersede(edits: Edits, row: Occurrence, { t, heard }: Pick<Cause, 't' | 'heard'>) {
  const returned = row.active ? { returned_t: new Date(t) } : {}
  const cause = { kind: 'closed', t, heard, reason: 'superseded' } as const
  edits.change(row, { ...endedFlags, ...returned }, cause)
}

/** A cleared alarm stays cleared; that it is over is noted. */
function followCleared(edits: Edits, row: Occurrence, report: AlarmReport) {
  const { active } = flagsOfReport(report)
  const { changedAt: t, heardAt: heard } = report
  const returned = row.active && !active ? { returned_t: new Date(t) } : {}
  edits.touch(row, { ...reportedContent(report), active, ...returned })
  edits.record(row, { kind: 'repeated', t, heard, from: fromOf(report) })
}

function changeReported(edits: Edits, row: Occurrence, { report, commanded }: Reported) {
  const { changedAt: t, heardAt: heard } = report
  const before = { ...row }
  const flags = heldFlags(row, report)
  const after = { ...row, ...flags }
  const isAgain = !row.active && flags.active
  const isReturn = row.active && !flags.active
  const content = reportedContent(report)
  const patch: Partial<Occurrence> = {
    ...content,
    ...flags,
    ...actionOf(before, { report, commanded }, flags),
    max_severity: Math.max(row.max_severity, content.severity),
    ...(isAgain && { raises: row.raises + 1, returned_t: null }),
    ...(isReturn && { returned_t: new Date(t) }),
  }
  const kind = kindOfReport(before, after, content.severity)
  const answered = answeredOrder(kind, commanded)
  if (answered.comment !== undefined) patch.comment = answered.comment
  const cause = { t, heard, from: fromOf(report), ...answered }
  if (kind !== undefined) return edits.change(row, patch, { ...cause, kind })
  edits.touch(row, patch)
  edits.record(row, { ...cause, kind: 'repeated' })
}

/** Person and comment of the command that a change answers. */
function answeredOrder(kind: ChangeKind | undefined, commanded: Commanded): Partial<Order> {
  const order =
    kind === 'acknowledged' ? commanded.ack : kind === 'reset' ? commanded.reset : undefined
  if (!order) return {}
  return { by: order.by, ...(order.comment !== '' && { comment: order.comment }) }
}

/**
 * Flags of a report, without what the platform has done alone: the device still asks for it, as it was
 * not told, until it raises the alarm anew.
 */
function heldFlags(row: Occurrence, report: AlarmReport) {
  const flags = flagsOfReport(report)
  const holds = row.platform_action && !(flags.active && !row.active)
  const ack = flags.ack_required && !(holds && !row.ack_required)
  const reset = flags.reset_required && !(holds && row.action === 'RESET' && !row.reset_required)
  const isHeld = ack !== flags.ack_required || reset !== flags.reset_required
  return { ...flags, ack_required: ack, reset_required: reset, platform_action: isHeld }
}

type Flags = ReturnType<typeof heldFlags>

/** Columns of who acknowledged or reset it, after a report. */
function actionOf(
  before: Occurrence,
  { report, commanded }: Pick<Reported, 'report' | 'commanded'>,
  flags: Flags,
): Partial<Occurrence> {
  if (flags.ack_required && !before.ack_required)
    return { acked_t: null, acked_by: null, action: 'NO_ACK' }
  if (commanded.reset !== undefined && before.reset_required && !flags.reset_required)
    return { action: 'RESET' }
  return acknowledgedBy(before, { report, commanded }, flags)
}

/** Columns of an acknowledgement: by a command of a person, or at the device. */
function acknowledgedBy(
  before: Occurrence,
  { report, commanded }: Pick<Reported, 'report' | 'commanded'>,
  flags: Flags,
): Partial<Occurrence> {
  const isDone = before.ack_required && !flags.ack_required
  const isByDevice = isAcked(report) && (isDone || before.acked_t === null)
  const isByCommand = isDone && commanded.ack !== undefined
  if (!isByDevice && !isByCommand) return {}
  return { acked_t: new Date(report.changedAt), acked_by: commanded.ack?.by ?? null, action: 'ACK' }
}

/** Kind of the change of a report; undefined when it changes nothing that people see. */
function kindOfReport(
  before: Occurrence,
  after: Occurrence,
  severity: number,
): ChangeKind | undefined {
  if (before.active !== after.active) {
    if (after.active) return 'again'
    return isOpen(after) ? 'returned' : 'closed'
  }
  if (before.ack_required && !after.ack_required) return 'acknowledged'
  if (before.reset_required && !after.reset_required) return 'reset'
  // Inactive, and asks again for what was done.
  if (!isOpen(before) && isOpen(after)) return 'again'
  return severity === before.severity ? undefined : 'severity'
}
