import { parseRange, resolveRange, type TimeRange } from '@longreach/ui/time-range'
import type { Question } from '../../parts/audit/audit-calls.ts'
import { callsBeside, callsOf, nounNamed } from '../../parts/audit/audit-nouns.ts'
import type { Search } from '../../parts/pages/section.ts'
import { one } from '../../parts/pages/use-search.ts'

/** State of the page as it stands in the address. */
export type LogState = {
  range: TimeRange
  text: string
  actor: string | undefined
  resource: string | undefined
  action: string | undefined
  outcome: 'done' | 'refused' | undefined
  /** Id of the one thing whose history is shown, with `resource`. */
  target: string | undefined
  ip: string | undefined
  below: boolean
  /** With the lines of people who changed their own preferences. */
  preferences: boolean
  /** The line whose panel is open. */
  open: number | undefined
}

export const usualRange = '7d'
const outcomes = ['done', 'refused'] as const

/** Reads the page's state from the address; what does not read is as if it were not there. */
export function logState(search: Search): LogState {
  const text = (key: string) => one(search[key]) || undefined
  const open = Number(text('line'))
  return {
    range: parseRange(text('time') ?? '') ?? usualRange,
    text: text('q') ?? '',
    actor: text('actor'),
    resource: text('resource'),
    action: text('action'),
    outcome: outcomes.find((outcome) => outcome === text('outcome')),
    target: text('target'),
    ip: text('ip'),
    below: text('below') !== 'false',
    preferences: text('preferences') === 'true',
    open: Number.isSafeInteger(open) && open > 0 ? open : undefined,
  }
}

/** Every filter taken away; the time stays. */
export const noFilters = {
  q: undefined,
  actor: undefined,
  resource: undefined,
  action: undefined,
  outcome: undefined,
  target: undefined,
  ip: undefined,
}

export const isFiltered = (state: LogState) =>
  [
    state.text,
    state.actor,
    state.resource,
    state.action,
    state.outcome,
    state.target,
    state.ip,
  ].some(Boolean)

type Moment = { now: number; zone: string; weekStart: number }

/** The time asked for. A range that ends now has no end: a clock that is late hides nothing. */
export function timeOf({ range }: Pick<LogState, 'range'>, { now, zone, weekStart }: Moment) {
  const { from, to } = resolveRange(range, now, zone, weekStart)
  const ends = typeof range !== 'string' || range === 'yesterday'
  return { from: new Date(from), ...(ends && { to: new Date(to) }) }
}

/** The server's question for a state, without its page. */
export function questionOf(state: LogState, org: string, moment: Moment): Question {
  const { actor, resource, action, outcome, target, ip, text } = state
  return {
    organization: organizationsOf(state, org),
    ...timeOf(state, moment),
    ...(!state.preferences && { ownPreferences: 'hidden' }),
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(actor !== undefined && { actor }),
    ...(resource !== undefined && aboutOf(resource, target)),
    ...(action !== undefined && { action }),
    ...(outcome && { outcome }),
    ...(target !== undefined && { target }),
    ...(ip !== undefined && { ip }),
  }
}

/** Question for entries about things of a noun, which are known by their calls, or about a resource without these. */
function aboutOf(name: string, target: string | undefined) {
  const noun = nounNamed(name)
  if (noun !== undefined) return { call: callsOf(noun) }
  // The history of one thing is whole: a rule and what is different of it on a device.
  const without = target === undefined ? callsBeside(name) : []
  return { resource: name, ...(without.length > 0 && { withoutCall: without }) }
}

export const organizationsOf = ({ below }: Pick<LogState, 'below'>, org: string) =>
  below ? `${org}.*` : org
