import type { AlarmMessage, AlarmValue } from '@longreach/device-protocol/alarm-message'
import { act, type OccurrenceEvent, type OccurrenceState, requiredOf } from '@longreach/rules/act'
import type { Words } from '@longreach/rules/change'
import { parseText } from '@longreach/rules/texts'

/** Acknowledgement and reset that an alarm needs before it is over. */
type Needs = { ack: boolean; reset: boolean }

/** Latest occurrence of an alarm of the agent, as the platform is told. Times are ms since 1970. */
export type Occurrence = {
  state: OccurrenceState
  needs: Needs
  isAcked: boolean
  startedAt: number
  changedAt: number
  severity: number
  description: string
  tag: string
  value: AlarmValue | null
}

/** Values with which an occurrence begins, or changes its severity. */
type Content = Pick<Occurrence, 'severity' | 'description' | 'tag' | 'value'>

/** Event of an alarm at a time; a raise brings its content, and what has to be done from now on. */
export type AlarmEvent = { t: number } & (
  | { kind: 'raise'; content: Content; needs: Needs }
  | { kind: 'worse'; content: Content }
  | { kind: Exclude<OccurrenceEvent, 'raise' | 'worse'> }
)

/** Occurrence after an event; undefined when it changes nothing that the platform is told. */
export function occurrenceAfter(
  before: Occurrence | undefined,
  event: AlarmEvent,
): Occurrence | undefined {
  const needs = event.kind === 'raise' ? event.needs : before?.needs
  if (!needs) return undefined
  const acted = act(before?.state ?? 'closed', event.kind, needs)
  if (acted.kind === 'same' || acted.kind === 'skipped') return undefined
  const content = 'content' in event ? event.content : {}
  if (!before || acted.kind === 'new') return begun(event, acted.state, before)
  return {
    ...before,
    ...content,
    state: acted.state,
    isAcked: isAckedAfter(before, event.kind),
    changedAt: Math.max(event.t, before.changedAt),
  }
}

/** New occurrence; the platform knows it by its start, so that is later than of those before. */
function begun(
  event: AlarmEvent,
  state: OccurrenceState,
  before: Occurrence | undefined,
): Occurrence | undefined {
  if (event.kind !== 'raise') return undefined
  const startedAt = Math.max(event.t, (before?.changedAt ?? event.t - 1) + 1)
  return {
    ...event.content,
    state,
    needs: event.needs,
    isAcked: false,
    startedAt,
    changedAt: startedAt,
  }
}

function isAckedAfter({ isAcked }: Occurrence, kind: OccurrenceEvent) {
  if (kind === 'ack') return true
  return kind === 'reset' ? false : isAcked
}

const bits = { enabled: 1, active: 2, acked: 4, ackRequired: 8, resetRequired: 16 }

/** Message about an occurrence, in the bits that devices send. */
export function alarmMessage(name: string, occurrence: Occurrence): AlarmMessage {
  const { state, needs, isAcked, ...told } = occurrence
  const { isActive, ackRequired, resetRequired } = requiredOf(state, needs)
  const sent =
    bits.enabled |
    (isActive ? bits.active : 0) |
    (isAcked ? bits.acked : 0) |
    (ackRequired ? bits.ackRequired : 0) |
    (resetRequired ? bits.resetRequired : 0)
  return { name, state: sent, ...told }
}

/** Answer for an occurrence that the agent does not know: it is over. */
export const unknownOccurrence = (name: string, startedAt: number, t: number): AlarmMessage => ({
  name,
  state: bits.enabled,
  startedAt,
  changedAt: Math.max(t, startedAt),
  severity: 0,
  description: '',
  tag: '',
  value: null,
})

type Raw = Words['value']

/** Text of an alarm with its values filled in. */
export const textWith = (text: string, { value, limit, values }: Words) =>
  parseText(text)
    .map((part) => {
      switch (part.kind) {
        case 'words':
        case 'unclosed':
          return part.text
        case 'value':
          return shown(value, part.digits)
        case 'limit':
          return shown(limit, part.digits)
        case 'path':
          return shown(values[part.path] ?? null, part.digits)
        case 'device':
          return ''
      }
    })
    .join('')

function shown(value: Raw, digits: number | undefined) {
  if (value === null) return '–'
  if (typeof value !== 'number') return String(value)
  return digits === undefined ? String(value) : value.toFixed(digits)
}

/** Value of an alarm message; numbers are doubles, as devices send them. */
export function alarmValueOf(value: Raw): AlarmValue | null {
  if (typeof value === 'number') return { type: 'double', value }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  return typeof value === 'string' ? { type: 'string', value } : null
}
