import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { personName } from '../../parts/access/right-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { useOwnName } from './api-key-calls.ts'

type Props = { value: string; error: string | undefined; onChange: (username: string) => void }

/** Choice of the key's owner: the person, a service account or another user, whose rights the key uses. */
export function OwnerSelect({ value, error, onChange }: Props) {
  const t = useWords()
  const { organization } = useSession()
  const self = useOwnName()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const asked = {
    params: { org: organization.resourceId },
    query: { pageSize: 50, ...(search !== '' && search !== value && { search }) },
  }
  const users = useQuery({ ...query(api.core.users, asked), placeholderData: keepPreviousData })
  const found = (users.data?.content ?? []).map((user) => ({
    value: user.username,
    label: [
      personName(user) === user.username ? user.username : `${personName(user)} (${user.username})`,
      user.serviceAccount ? t('api-keys.serviceAccount') : '',
    ]
      .filter(Boolean)
      .join(' · '),
  }))
  const known = [self, value].filter((name) => !found.some((one) => one.value === name))
  return (
    <Select
      label={t('api-keys.owner')}
      description={t('api-keys.ownerHelp')}
      searchable
      allowDeselect={false}
      error={error}
      value={value}
      data={[...[...new Set(known)].map((name) => ({ value: name, label: name })), ...found]}
      onSearchChange={setText}
      nothingFoundMessage={t('api-keys.nobody')}
      onChange={(next) => next !== null && onChange(next)}
    />
  )
}
