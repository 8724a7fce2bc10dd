import { queryOptions } from '@tanstack/react-query'
import { alarmsApi } from './alarm-calls.ts'
import { countOf, type SeverityName, severityNames } from './severity.ts'

/** Open alarms that nobody has acknowledged: their counts, and the worst hundred of them. */
export const alarmWatchQuery = (organization: string) =>
  queryOptions({
    queryKey: [alarmsApi.listAlarms.key, 'watch', organization],
    queryFn: ({ signal }) =>
      alarmsApi.listAlarms(
        {
          query: { organization },
          body: { kind: 'open', data: 'ack == "REQUIRED"', pageSize: 100 },
        },
        { signal },
      ),
    staleTime: 1_000,
    retry: false,
  })

/** Number of a count by severity, and the worst one that it has. */
export function worstOf(bySeverity: readonly number[]): {
  count: number
  worst: SeverityName | undefined
} {
  const count = bySeverity.reduce((sum, one) => sum + one, 0)
  return { count, worst: severityNames.find((name) => countOf(bySeverity, name) > 0) }
}
