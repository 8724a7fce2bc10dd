/**
 * States of an occurrence: active unacknowledged, active acknowledged, returned unacknowledged,
 * returned and latched, cleared, cleared while active, closed.
 */
export const occurrenceStates = ['UA', 'AA', 'RU', 'RL', 'C', 'CA', 'closed'] as const
export type OccurrenceState = (typeof occurrenceStates)[number]

/** Events of an occurrence; `worse` is a raise, or a change, to a higher severity. */
export const occurrenceEvents = [
  'raise',
  'worse',
  'return',
  'ack',
  'reset',
  'clear',
  'ruleGone',
] as const
export type OccurrenceEvent = (typeof occurrenceEvents)[number]

/** Reason of an action that changes nothing. */
type SkipReason = 'closed' | 'ack_first' | 'still_active' | 'already'

/** Acknowledgement and reset that the rule or the device asks for. */
export type Needs = { ack: boolean; reset: boolean }

/**
 * Result of an event. `new` begins another occurrence, `again` is a further raise of the same one,
 * `severity` changes that alone, `same` changes nothing.
 */
export type Acted =
  | { kind: 'new' | 'again' | 'moved' | 'severity' | 'same'; state: OccurrenceState }
  | { kind: 'skipped'; state: OccurrenceState; reason: SkipReason }

/** Cell of the table: state that follows, `-` for none, a skip, or a choice by what is needed. */
type Cell =
  | '-'
  | 'severity'
  | 'new'
  | 'unlatched'
  | OccurrenceState
  | `again ${OccurrenceState}`
  | `skip ${SkipReason}`

const closed: Record<OccurrenceEvent, Cell> = {
  raise: 'new',
  worse: 'new',
  return: '-',
  ack: 'skip closed',
  reset: 'skip closed',
  clear: 'skip closed',
  ruleGone: '-',
}

/** Table of states and events. After a clear, a raise needs a return first, or a worse level. */
const table: Record<OccurrenceState, Record<OccurrenceEvent, Cell>> = {
  closed,
  C: closed,
  CA: { ...closed, raise: '-', return: 'C', ruleGone: 'C' },
  UA: {
    raise: 'severity',
    worse: 'severity',
    return: 'RU',
    ack: 'AA',
    reset: 'skip ack_first',
    clear: 'CA',
    ruleGone: 'RU',
  },
  AA: {
    raise: 'severity',
    worse: 'severity',
    return: 'unlatched',
    ack: 'skip already',
    reset: 'skip still_active',
    clear: 'CA',
    ruleGone: 'closed',
  },
  RU: {
    raise: 'again UA',
    worse: 'again UA',
    return: '-',
    ack: 'unlatched',
    reset: 'skip ack_first',
    clear: 'C',
    ruleGone: '-',
  },
  RL: {
    raise: 'again AA',
    worse: 'again AA',
    return: '-',
    ack: 'skip already',
    reset: 'closed',
    clear: 'C',
    ruleGone: 'closed',
  },
}

/** Result of an event for an occurrence in a state. */
export function act(state: OccurrenceState, event: OccurrenceEvent, needs: Needs): Acted {
  const cell = table[state][event]
  if (cell === '-') return { kind: 'same', state }
  if (cell === 'severity') return { kind: 'severity', state }
  if (cell === 'new') return { kind: 'new', state: needs.ack ? 'UA' : 'AA' }
  if (cell === 'unlatched') return { kind: 'moved', state: needs.reset ? 'RL' : 'closed' }
  const [word, rest] = cell.split(' ')
  if (word === 'again' && isState(rest)) return { kind: 'again', state: rest }
  if (word === 'skip' && isReason(rest)) return { kind: 'skipped', state, reason: rest }
  return isState(cell) ? { kind: 'moved', state: cell } : { kind: 'same', state }
}

const isState = (text: string | undefined): text is OccurrenceState =>
  occurrenceStates.some((state) => state === text)
const reasons: readonly string[] = ['closed', 'ack_first', 'still_active', 'already']
const isReason = (text: string | undefined): text is SkipReason => reasons.includes(text ?? '')

/** Requirements of a state as the wire shows them; reset is asked for from the acknowledgement on. */
export const requiredOf = (state: OccurrenceState, { ack, reset }: Needs) => ({
  isActive: state === 'UA' || state === 'AA',
  ackRequired: ack && (state === 'UA' || state === 'RU'),
  resetRequired: reset && (state === 'AA' || state === 'RL'),
  isOpen: state === 'UA' || state === 'AA' || state === 'RU' || state === 'RL',
})
