import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { means } from '../../parts/access/rights-table.ts'
import { useSession } from '../../parts/session/session.ts'

export type ApiKey = Result<(typeof coreContract)['endpoints']['createApiKey']>

/** The keys of the organization that the person may see: two for each owner at most, so all at once. */
export const apiKeysQuery = (org: string) =>
  query(api.core.apiKeys, { params: { org }, query: { pageSize: 1_000 } })

export const useApiKeys = () =>
  useQuery({ ...apiKeysQuery(useSession().organization.resourceId), refetchInterval: 60_000 })

/** Actions that a key of the person, or of the named user, can have. */
export function usePossibleScopes(username: string | undefined) {
  const org = useSession().organization.resourceId
  const asked = { params: { org }, query: { ...(username !== undefined && { username }) } }
  return useQuery({
    ...query(api.core.apiKeyPermissions, asked),
    placeholderData: keepPreviousData,
    // An administrator holds every action on everything; many of them mean nothing.
    select: (rights) => rights.filter(means),
  })
}

export const keysChanged = () => stale(api.core.apiKeys)

/** The person's name as core has it: without the realm that the token puts behind it. */
export function useOwnName() {
  const { username, realm } = useSession()
  return username.endsWith(`@${realm}`) ? username.slice(0, -realm.length - 1) : username
}
