import { auditContract } from '@longreach/audit/contract'
import type { Input, Result } from '@longreach/kit/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { contractClient } from '../api/contract-client.ts'

/** Calls of the audit trail, apart from `api` so that only pages that show it load them. */
export const auditApi = contractClient(auditContract)

type Endpoints = (typeof auditContract)['endpoints']
export type Entry = Result<Endpoints['search']>['data'][number]
export type EntryDetail = Result<Endpoints['entry']>
export type Question = Input<Endpoints['search']>['query']

const pageSize = 100

/** Lines of the trail, newest first, page after page as the reader goes down. */
export const useEntries = (question: Question) =>
  useInfiniteQuery({
    queryKey: [auditApi.search.key, question],
    queryFn: ({ pageParam: cursor, signal }) =>
      auditApi.search(
        { query: { ...question, pageSize, ...(cursor !== '' && { cursor }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })
