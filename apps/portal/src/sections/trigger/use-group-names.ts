import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useIntl } from 'react-intl'
import { api, query } from '../../parts/api/api.ts'
import { useMay, useSession } from '../../parts/session/session.ts'

/** Device groups by id, and their names; a group that the person may not see is named by its id. */
export function useGroupNames() {
  const t = useWords()
  const { locale } = useIntl()
  const org = useSession().organization.resourceId
  const { data } = useQuery({
    ...query(api.core.securityPolicies, {
      params: { org },
      query: { pageSize: 1_000, type: 'STANDARD' },
    }),
    enabled: useMay()('devicegroups:read'),
  })
  const groups = useMemo(
    () => (data?.content ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    [data],
  )
  const names = useMemo(() => new Map(groups.map(({ value, label }) => [value, label])), [groups])
  const nameOf = useCallback(
    (id: string) => names.get(id) ?? t('trigger.groupById', { id }),
    [names, t],
  )
  const namesOf = useCallback(
    ({ deviceGroups }: { deviceGroups: readonly (string | number)[] }) =>
      deviceGroups.length === 0
        ? t('trigger.allDevices')
        : new Intl.ListFormat(locale).format(deviceGroups.map((id) => nameOf(String(id)))),
    [locale, nameOf, t],
  )
  return { groups, nameOf, namesOf }
}
