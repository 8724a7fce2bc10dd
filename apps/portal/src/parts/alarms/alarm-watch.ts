import { queryOptions } from '@tanstack/react-query'
import { alarmsApi } from './alarm-calls.ts'
import { countOf, type SeverityName, severityNames } from './severity.ts'

/** Counts of the open alarms that nobody has acknowledged. */
export const alarmWatchQuery = (organization: string) =>
  queryOptions({
    queryKey: [alarmsApi.listAlarms.key, 'watch', organization],
    queryFn: ({ signal }) =>
      alarmsApi.listAlarms(
        {
          query: { organization },
          body: { kind: 'open', data: 'ack == "REQUIRED"', pageSize: 1 },
        },
        { signal },
      ),
    staleTime: 1_000,
    retry: false,
  })

/** Most alarms of one question that are named. */
const mostNamed = 50

type Fresh = {
  /** Time in ms of the server's clock, after which it heard of them. */
  after: number
  /** Alarms that came again, or came back from a shelf. */
  named: Iterable<string>
}

/** Counts by severity of the alarms that are new and that nobody has acknowledged. */
export async function countFresh(organization: string, { after, named }: Fresh) {
  const ids = [...named].slice(0, mostNamed).map((id) => `id == "${id}"`)
  const isNew = [`longreach.heardAt > ${after}`, ...ids].join(' or ')
  const { counts } = await alarmsApi.listAlarms({
    query: { organization },
    body: { kind: 'open', data: `ack == "REQUIRED" and (${isNew})`, pageSize: 1 },
  })
  return counts.bySeverity
}

/** Number of a count by severity, and the worst one that it has. */
export function worstOf(bySeverity: readonly number[]): {
  count: number
  worst: SeverityName | undefined
} {
  const count = bySeverity.reduce((sum, one) => sum + one, 0)
  return { count, worst: severityNames.find((name) => countOf(bySeverity, name) > 0) }
}
