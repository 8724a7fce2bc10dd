import { useMutation, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useSession } from '../../../parts/session/session.ts'

/** A device that has not reported the value by then has not answered. */
export const patienceMs = 10_000

/** Write policy of the organization: true when a second person must consent to each write. */
export const useSecondPerson = () => {
  const org = useSession().organization.resourceId
  const { data } = useQuery(query(api.platform.writePolicy, { params: { org } }))
  return data?.secondPerson ?? false
}

export type Writing = {
  pending: boolean
  outcome: 'sent' | 'confirmed' | 'no_answer' | 'requested' | undefined
  /** Value that the device reported last. */
  value: unknown
  error: Error | null
  send: (value: unknown, reason: string) => void
}

/** Sends a value to the device, or asks another person to. */
export function useWriting(deviceId: string, modelPath: string, secondPerson: boolean): Writing {
  const org = useReach()
  const params = { org, deviceId }
  const write = useMutation({
    mutationFn: async ({ v, reason }: { v: unknown; reason: string }) => {
      const why = reason === '' ? {} : { reason }
      if (secondPerson) {
        await api.platform.requestWrite({ params, body: { modelPath, v, ...why } })
        return { status: 'requested' as const, value: undefined }
      }
      const body = { data: [{ modelPath, v }], timeoutMs: patienceMs, ...why }
      return (await api.platform.writeTags({ params, body })).data[0]
    },
    onSuccess: () => writesChanged(),
  })
  const { data, isPending, error } = write
  return {
    pending: isPending,
    outcome: data?.status,
    value: data?.value,
    error,
    send: (v, reason) => write.mutate({ v, reason }),
  }
}

/** After a value was written, requested, approved or refused. */
export const writesChanged = () =>
  Promise.all([stale(api.platform.timeline), stale(api.platform.writeRequests)])
