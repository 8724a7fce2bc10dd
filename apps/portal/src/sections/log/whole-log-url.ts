import { parseRange, type TimeRange } from '@longreach/ui/time-range'
import type { Search } from '../../parts/pages/section.ts'
import { one } from '../../parts/pages/use-search.ts'
import { usualRange } from './log-url.ts'

/** Kinds of lines that can be chosen; the audit trail has a page of its own too. */
export const logKinds = ['delivery', 'failed', 'device', 'action', 'run'] as const
export type LogChoice = (typeof logKinds)[number]

/** Log of everything as it stands in the address. */
export type WholeLogState = {
  kind: LogChoice | undefined
  range: TimeRange
  text: string
  person: string
  device: string
  below: boolean
  /** Key of the line whose panel is open. */
  open: string | undefined
}

const auditFilters = ['actor', 'resource', 'action', 'outcome', 'target', 'ip', 'preferences']

/** True for an address of the audit trail alone: by its kind, or by a filter that only it has. */
export function isAuditAddress(search: Search) {
  const kind = one(search['kind'])
  if (kind !== undefined) return kind === 'audit'
  return auditFilters.some((key) => search[key]) || /^\d+$/.test(one(search['line']) ?? '')
}

/** Reads the log from the address; what does not read is as if it were not there. */
export function wholeLogState(search: Search): WholeLogState {
  const text = (key: string) => (one(search[key]) ?? '').trim()
  return {
    kind: logKinds.find((kind) => kind === text('kind')),
    range: parseRange(text('time')) ?? usualRange,
    text: text('q'),
    person: text('person'),
    device: text('device'),
    below: text('below') !== 'false',
    open: text('line') || undefined,
  }
}

export const isNarrowed = ({ text, person, device }: WholeLogState) =>
  text !== '' || person !== '' || device !== ''

/** Filters without any text; kind and time stay. */
export const noTexts = { q: undefined, person: undefined, device: undefined }
