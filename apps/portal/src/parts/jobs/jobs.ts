import type { Job } from '@longreach/kit/job-contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api, type JobService, query, stale } from '../api/api.ts'
import { knownSections } from '../pages/known-sections.ts'
import { useSession } from '../session/session.ts'

/** A job, and where it is done. */
export type ServiceJob = Job & { service: JobService }

const underWayMs = 1_000

/** A job that one of the portal's pages has started; its progress is asked for until it ends. */
export function useJob(service: JobService, jobId: string | undefined) {
  const { organization } = useSession()
  const input = { params: { jobId: jobId ?? '' }, query: { organization: organization.resourceId } }
  return useQuery({
    ...query(api[service].job, input),
    enabled: jobId !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'PROCESSING' ? underWayMs : false),
  })
}

/** The person's jobs here, newest first; asked for again while one is under way. */
export function useJobs(): readonly ServiceJob[] {
  const { organization } = useSession()
  const services = jobServices()
  return useQueries({
    queries: services.map((service) => ({
      ...query(api[service].jobs, { query: { organization: organization.resourceId } }),
      staleTime: 30_000,
      refetchInterval: ({ state }: { state: { data?: { data: Job[] } | undefined } }) =>
        state.data?.data.some((job) => job.state === 'PROCESSING') === true ? underWayMs : false,
    })),
    combine: (answers) =>
      answers
        .flatMap(({ data }, n) => {
          const service = services[n]
          return service === undefined ? [] : (data?.data ?? []).map((job) => ({ ...job, service }))
        })
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()),
  })
}

/** Services in which the sections of this portal start long work. */
const jobServices = () => [...new Set(knownSections().flatMap(({ jobs = [] }) => jobs))]

let opened = 0
const listeners = new Set<() => void>()

/** A job was started: the list of jobs in the top bar shows it, opened. */
export async function watchJob(service: JobService) {
  opened += 1
  for (const tell of listeners) tell()
  await stale(api[service].jobs)
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Counts how often a job was started in this page. */
export const useStartedJobs = () => useSyncExternalStore(subscribe, () => opened)
