import type { alarmsContract } from '@longreach/alarms/contract'
import type { Input, Result } from '@longreach/kit/contract'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { query } from '../api/api.ts'
import { alarmsClient } from '../api/alarms-client.ts'

/** Calls of alarms, apart from `api` so that only pages that show them load them. */
export const alarmsApi = alarmsClient

type Endpoints = (typeof alarmsContract)['endpoints']
export type AlarmPage = Result<Endpoints['listAlarms']>
export type Alarm = AlarmPage['data'][number]
export type AlarmChange = Result<Endpoints['alarmDetail']>['history'][number]
export type Acted = Result<Endpoints['acknowledge']>
/** Filters of a list of alarms. */
export type AlarmQuestion = Omit<Input<Endpoints['listAlarms']>['body'], 'next' | 'pageSize'>

const pageSize = 500

/** Alarms of an organization with all below it, page after page as the reader goes down. */
export const alarmsQuery = (organization: string, question: AlarmQuestion) =>
  infiniteQueryOptions({
    queryKey: [alarmsApi.listAlarms.key, organization, question],
    queryFn: ({ pageParam: next, signal }) =>
      alarmsApi.listAlarms(
        { query: { organization }, body: { ...question, pageSize, ...(next !== '' && { next }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** An alarm with its changes, oldest first. */
export const alarmDetailQuery = (organization: string, id: string) =>
  query(alarmsApi.alarmDetail, { params: { id }, query: { organization } })

/** All alarms that the filters find, at most `most` of them. */
export async function allAlarms(
  organization: string,
  question: AlarmQuestion,
  most = Number.POSITIVE_INFINITY,
) {
  const alarms: Alarm[] = []
  let next: string | null = ''
  while (next !== null && alarms.length < most) {
    const page: AlarmPage = await alarmsApi.listAlarms({
      query: { organization },
      body: { ...question, pageSize: 1_000, ...(next !== '' && { next }) },
    })
    alarms.push(...page.data)
    next = page.next
  }
  return alarms.slice(0, most)
}
