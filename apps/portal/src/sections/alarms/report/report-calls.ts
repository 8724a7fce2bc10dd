import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { query } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useSession } from '../../../parts/session/session.ts'
import type { ReportState } from './report-url.ts'

export type Report = Result<(typeof alarmsContract)['endpoints']['report']>
export type Figures = Report['whole']
export type FrequentRule = Report['rules'][number]

/** Report that the address asks for. */
export function useReport({ window, shifts, zone, below }: ReportState) {
  const organization = useSession().organization.resourceId
  const asked = { ...window, shifts: shifts.join(','), zone, below }
  return useQuery({
    ...query(alarmsApi.report, { query: { organization, ...asked } }),
    placeholderData: keepPreviousData,
  })
}

/** Rule of the report, also one of an organization below; without an id none. */
export const useReportedRule = (ruleId: string | null) =>
  useQuery({
    ...query(alarmsApi.rule, { params: { id: ruleId ?? '' }, query: { organization: useReach() } }),
    enabled: ruleId !== null,
    retry: false,
  })
