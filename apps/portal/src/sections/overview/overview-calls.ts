import type { Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { platformContract } from '@longreach/platform/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, query, stale } from '../../parts/api/api.ts'
import { useLiveStatusVersion } from '../../parts/live/live.ts'

export type Fleet = Result<(typeof mappingsContract)['endpoints']['fleet']>
export type Attention = Result<(typeof platformContract)['endpoints']['overview']>
/** The organization, alone and with all below it, as calls name it. */
export type Place = { org: string; reach: string }

const fresh = { placeholderData: keepPreviousData, refetchInterval: 30_000 } as const

export const fleetQuery = ({ reach }: Place) => ({
  ...query(api.mappings.fleet, { query: { organization: reach } }),
  ...fresh,
})
export const attentionQuery = ({ reach }: Place) => ({
  ...query(api.platform.overview, { params: { org: reach } }),
  ...fresh,
})
export const requestsQuery = ({ org }: Place) => ({
  ...query(api.core.accessRequests, { params: { org } }),
  ...fresh,
})
export const invitationsQuery = () => ({ ...query(api.core.myInvitations, {}), ...fresh })

/** However many devices come and go, the page asks anew no more often than this. */
const settledMs = 2_000

/** Ask anew when devices come or go; what is known stays meanwhile. */
export function useFollowedStates() {
  const version = useLiveStatusVersion()
  const known = useRef(version)
  useEffect(() => {
    if (known.current === version) return
    known.current = version
    changed ??= setTimeout(() => {
      changed = undefined
      void Promise.all([stale(api.mappings.fleet), stale(api.platform.overview)])
    }, settledMs)
  }, [version])
}
let changed: ReturnType<typeof setTimeout> | undefined
