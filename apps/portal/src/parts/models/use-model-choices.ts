import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, query } from '../api/api.ts'
import { useSession } from '../session/session.ts'

/** Model of a scope, as `Oven:1`. */
const modelScope = ({ name, version }: { name: string; version: string }) =>
  `${name}:${version.split('.')[0]}`

/** Models that rules of an organization, by default the session's, can be for, as `Oven:1`. */
export function useModelChoices(of?: string) {
  const own = useSession().organization.resourceId
  const organization = of ?? own
  const { data } = useQuery(
    query(api.mappings.models, {
      query: { organization, omitContent: true, pageSize: 500, page: 0 },
    }),
  )
  return useMemo(
    () =>
      (data?.data ?? []).map(({ id, name, version, orgResourceId }) => ({
        id,
        organization: orgResourceId,
        scope: modelScope({ name, version }),
      })),
    [data],
  )
}
