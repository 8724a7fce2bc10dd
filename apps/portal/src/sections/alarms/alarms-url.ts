import type { AlarmQuestion } from '../../parts/alarms/alarm-calls.ts'
import { severitiesOf, type SeverityName, severityNames } from '../../parts/alarms/severity.ts'
import type { Search } from '../../parts/pages/section.ts'
import { one } from '../../parts/pages/use-search.ts'

/** Filters of a list of alarms and the open one, as they stand in the address. */
export type ListState = {
  severity: SeverityName | undefined
  text: string
  /** Only those that nobody has acknowledged. */
  unacknowledged: boolean
  device: string | undefined
  rule: string | undefined
  open: string | undefined
  /** By device, or one by one; undefined: by device in a flood. */
  grouped: boolean | undefined
}

export const noFilters = {
  severity: undefined,
  q: undefined,
  ack: undefined,
  device: undefined,
  rule: undefined,
}

export function listState(search: Search): ListState {
  const severity = one(search['severity'])
  return {
    severity: severityNames.find((name) => name === severity),
    text: (one(search['q']) ?? '').trim(),
    unacknowledged: one(search['ack']) === 'missing',
    device: one(search['device']),
    rule: one(search['rule']),
    open: one(search['alarm']),
    grouped: { yes: true, no: false }[one(search['group']) ?? ''],
  }
}

export const isFiltered = ({ severity, text, unacknowledged, device, rule }: ListState) =>
  [severity, device, rule].some(Boolean) || text !== '' || unacknowledged

/** Filters of an action on all that a list shows; `heardUntil` leaves out what came after it was shown. */
export function filterOf(state: ListState, heardUntil: number) {
  const { kind: _, data, ...filter } = questionOf('open', state)
  return { filter: { ...filter, heardUntil }, ...(data !== undefined && { data }) }
}

/** Question to the server; `withSeverity` is off for the counts above the list, which show all severities. */
export const questionOf = (
  kind: NonNullable<AlarmQuestion['kind']>,
  { severity, text, unacknowledged, device, rule }: ListState,
): AlarmQuestion => ({
  kind,
  ...(severity && { severities: [...severitiesOf[severity]] }),
  ...(text !== '' && { search: text }),
  ...(unacknowledged && { data: 'ack == "REQUIRED"' }),
  ...(device && { deviceId: device }),
  ...(rule && { ruleId: rule }),
})
