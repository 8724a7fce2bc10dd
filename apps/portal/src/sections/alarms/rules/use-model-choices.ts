import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, query } from '../../../parts/api/api.ts'
import { useRuleOrganization } from './rule-calls.ts'

/** Model of a scope, as `Oven:1`. */
const modelScope = ({ name, version }: { name: string; version: string }) =>
  `${name}:${version.split('.')[0]}`

/** Models that rules can be for. */
export function useModelChoices() {
  const { data } = useQuery(
    query(api.mappings.models, {
      query: { ...useRuleOrganization(), omitContent: true, pageSize: 500, page: 0 },
    }),
  )
  return useMemo(
    () =>
      (data?.data ?? []).map(({ id, name, version }) => ({
        id,
        scope: modelScope({ name, version }),
      })),
    [data],
  )
}
