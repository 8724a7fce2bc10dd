import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { homeProperty as params } from '../../parts/organizations/home-organization.ts'
import { useSession } from '../../parts/session/session.ts'

const homeOrganizationQuery = query(api.core.property, { params })

/** Choice of the organization that opens after signing in, saved at once; nothing for a person with only one. */
export function HomeOrganizationChoice() {
  const t = useWords()
  const errorText = useErrorText()
  const queries = useQueryClient()
  const hasChoice = useSession().choices > 1
  const own = useQuery({ ...query(api.core.mine, {}), staleTime: 300_000, enabled: hasChoice })
  const home = useQuery({ ...homeOrganizationQuery, queryFn: keptOrNone, enabled: hasChoice })
  const keep = useMutation({
    mutationFn: (next: string) => api.core.setProperty({ params, body: next }),
    onSuccess: (_, next) => queries.setQueryData(homeOrganizationQuery.queryKey, next),
  })
  if (!hasChoice) return null
  const fault = own.error ?? home.error ?? keep.error
  const known = own.data?.some(({ resourceId }) => resourceId === home.data)
  return (
    <>
      <Select
        label={t('account.home')}
        description={t('account.homeHelp')}
        data={[
          { value: '', label: t('account.home.ask') },
          ...(own.data ?? []).map(({ resourceId, label }) => ({ value: resourceId, label })),
        ]}
        value={known ? (home.data ?? '') : ''}
        searchable
        limit={200}
        allowDeselect={false}
        nothingFoundMessage={t('account.noOrganization')}
        disabled={!own.isSuccess || !home.isSuccess || keep.isPending}
        onChange={(value) => keep.mutate(value ?? '')}
      />
      {fault && <ErrorPanel {...errorText(fault)} />}
    </>
  )
}

/** A query may not answer with nothing. */
const keptOrNone = async () => (await api.core.property({ params })) ?? ''
