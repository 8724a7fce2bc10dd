import { useQuery } from '@tanstack/react-query'
import { api, query } from '../api/api.ts'
import { useSession } from '../session/session.ts'

const mostNames = 500
const none: ReadonlyMap<string, string> = new Map()

/** Names of the sub-organizations, by resourceId; empty while they load. */
export function useOrganizationNames(): ReadonlyMap<string, string> {
  const org = useSession().organization.resourceId
  const { data } = useQuery({
    ...query(api.core.organizations, { params: { org }, query: { pageSize: mostNames } }),
    staleTime: 300_000,
    select: namesOf,
  })
  return data ?? none
}

const namesOf = ({ content }: { content: readonly { resourceId: string; label: string }[] }) =>
  new Map(content.map(({ resourceId, label }) => [resourceId, label]))
