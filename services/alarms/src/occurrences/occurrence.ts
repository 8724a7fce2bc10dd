import { createHash } from 'node:crypto'
import type { OccurrenceState } from '@longreach/rules/act'
import type { OccurrenceRow } from '../database.ts'

/** Occurrence in memory while it is changed; `open` follows from the other columns. */
export type Occurrence = Omit<OccurrenceRow, 'open' | 'searched'>

/** Source of an alarm that a device names itself. A long name is kept by its beginning and its hash. */
export function sourceOfName(name: string) {
  if (name.length <= longestName) return `d:${name}`
  const hash = createHash('sha256').update(name).digest('base64url').slice(0, 22)
  return `d:${name.slice(0, longestName - 23)}#${hash}`
}

/** Characters of a name: a row of an index has at most 2,700 bytes. */
const longestName = 500

/** Source of the alarm of one instance of a rule. */
export const sourceOfRule = (ruleId: string, instance: string) => `r:${ruleId}:${instance}`

/** Source of the alarms of an action of a trigger. */
export const sourceOfTrigger = (action: string) => `t:${action}`

/** Id of an occurrence: 16 bytes of the SHA-256 of device, source and start, in base64url. */
export const occurrenceId = (deviceId: string, source: string, start: number) =>
  createHash('sha256')
    .update(JSON.stringify([deviceId, source, start]))
    .digest()
    .subarray(0, 16)
    .toString('base64url')

/** True while somebody has to do something about it, or it is active (T-07). */
export const isOpen = ({
  cleared,
  withdrawn,
  active,
  ack_required,
  reset_required,
}: Pick<Occurrence, 'cleared' | 'withdrawn' | 'active' | 'ack_required' | 'reset_required'>) =>
  !cleared && !withdrawn && (active || ack_required || reset_required)

/** Columns of an alarm that nobody has to do anything about. */
export const endedFlags = {
  active: false,
  ack_required: false,
  reset_required: false,
  suppressed: false,
} as const

/** State in the table of `@longreach/rules`. */
export function stateOf(one: Occurrence): OccurrenceState {
  if (one.withdrawn) return 'closed'
  if (one.cleared) return one.active ? 'CA' : 'C'
  if (one.active) return one.ack_required ? 'UA' : 'AA'
  if (one.ack_required) return 'RU'
  return one.reset_required ? 'RL' : 'closed'
}

/** Severity as it is counted: 0 to 6. */
export const levelOf = (severity: number) => Math.min(6, Math.max(0, severity))

/** Severity of an alarm for which its rule finds another: the ladder does not go down. */
export const notBelowLadder = (
  { ladder_severity }: Pick<Occurrence, 'ladder_severity'>,
  severity: number,
) => Math.max(severity, ladder_severity ?? severity)

type Begun = Pick<Occurrence, 'org' | 'device_id' | 'source' | 'name' | 'severity'> & {
  start: number
  heard: number
} & Partial<Occurrence>

/** New occurrence with everything that is not given at its beginning. */
export function newOccurrence({ start, heard, ...given }: Begun): Occurrence {
  const { device_id, source, severity } = given
  return {
    ...blank,
    id: occurrenceId(device_id, source, start),
    level: levelOf(severity),
    max_severity: severity,
    start_t: new Date(start),
    last_t: new Date(start),
    heard_t: new Date(heard),
    updated_t: new Date(heard),
    ...given,
  }
}

const blank = {
  rule_id: null,
  rule_version: null,
  instance: null,
  description: '',
  tag: '',
  class: '',
  returned_t: null,
  acked_t: null,
  acked_by: null,
  closed_t: null,
  active: true,
  ack_required: false,
  reset_required: false,
  cleared: false,
  enabled: true,
  action: 'NO_ACK',
  platform_action: false,
  withdrawn: false,
  unconfirmed: false,
  suppressed: false,
  late: false,
  shelf_id: null,
  first_out: null,
  group_name: null,
  raises: 1,
  value: null,
  words: null,
  comment: null,
  comments: 0,
  assignee: null,
  certificate: null,
  changes: 0,
  needs_ack: false,
  needs_reset: false,
  paths: null,
  bits: null,
  ladder_severity: null,
} as const satisfies Partial<Occurrence>
