import { IconUser } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, query } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import type { Entry } from './palette-entry.ts'

const mostPeople = 4

/** People of the organization whose name fits a text; none without the right to read people. */
export function usePeopleHits(search: string) {
  const navigate = useNavigate()
  const { organization, permissions } = useSession()
  const wanted = search.length > 1 && permissions.has('users:read')
  const { data, isFetching } = useQuery({
    ...query(api.core.users, {
      params: { org: organization.resourceId },
      query: { search, pageSize: mostPeople },
    }),
    enabled: wanted,
    placeholderData: keepPreviousData,
  })
  const found = wanted ? (data?.content ?? []) : []
  const entries = found.map(({ id, username, firstName, lastName, email }): Entry => {
    const name = `${firstName} ${lastName}`.trim()
    const person = String(id)
    return {
      key: person,
      label: name || username,
      note: email || username,
      icon: IconUser,
      run: () => void navigate({ to: '/permission', search: { person } }),
    }
  })
  return { entries, searching: wanted && isFetching }
}
