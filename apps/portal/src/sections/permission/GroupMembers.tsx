import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, CloseButton, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { type Group, peopleChanged, personName, useOrg } from './people-calls.ts'
import { Who } from './Who.tsx'
import classes from './permission.module.css'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

type Change = { user: number; role: 'ADMIN' | 'USER' } | { leave: number }
const pageSize = 50

/** Members of a group; the group's own administrators may change them. */
export function GroupMembers({ group }: { group: Group }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const may = useMay()
  const members = useMembers(group.id)
  const save = useMutation({
    mutationFn: (change: Change) => {
      const at = (user: number) => ({ params: { org, group: group.id, user } })
      if ('leave' in change) return api.core.removeGroupMember(at(change.leave))
      return api.core.addGroupMember({ ...at(change.user), query: { role: change.role } })
    },
    onSuccess: () => peopleChanged(),
  })
  if (!may('users:read')) return <p className={classes.dim}>{t('permission.mayNotRead')}</p>
  if (members.error || !members.data) return <ContentPending {...members} rows={5} />
  const people = members.data.pages.flatMap(({ content }) => content)
  const change = may('usergroups:update')
  return (
    <div className={classes.form}>
      {change && <AddMember onAdd={(user) => save.mutate({ user, role: 'USER' })} />}
      {people.length === 0 && <p className={classes.dim}>{t('permission.noMembers')}</p>}
      <ul className={classes.list}>
        {people.map((person) => (
          <li key={person.id}>
            <span className={classes.grow}>
              <Who person={person} />
            </span>
            <Checkbox
              label={t('permission.groupAdmin')}
              aria-label={t('permission.makeAdmin', { name: personName(person) })}
              disabled={!change}
              checked={person.membershipRole === 'ADMIN'}
              onChange={(event) => {
                const role = event.currentTarget.checked ? 'ADMIN' : 'USER'
                save.mutate({ user: person.id, role })
              }}
            />
            {change && (
              <CloseButton
                size="sm"
                aria-label={t('permission.takeOut', { name: personName(person) })}
                onClick={() => save.mutate({ leave: person.id })}
              />
            )}
          </li>
        ))}
      </ul>
      {members.hasNextPage && (
        <Button variant="default" onClick={() => void members.fetchNextPage()}>
          {t('permission.showMore')}
        </Button>
      )}
      {save.error && <ErrorPanel {...errorText(save.error)} />}
    </div>
  )
}

function useMembers(groupId: number) {
  const org = useOrg()
  return useInfiniteQuery({
    queryKey: [api.core.users.key, org, 'of group', groupId],
    queryFn: ({ pageParam, signal }) => {
      const asked = { groupId, page: pageParam, pageSize }
      return api.core.users({ params: { org }, query: asked }, { signal })
    },
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
  })
}

function AddMember({ onAdd }: { onAdd: (user: number) => void }) {
  const t = useWords()
  const org = useOrg()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const asked = { pageSize: 30, ...(search !== '' && { search }) }
  const found = useQuery({
    ...query(api.core.users, { params: { org }, query: asked }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      aria-label={t('permission.addMember')}
      placeholder={t('permission.addMember')}
      searchable
      value={null}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={t('permission.notFound')}
      data={(found.data?.content ?? []).map((person) => ({
        value: String(person.id),
        label:
          personName(person) === person.username
            ? person.username
            : `${personName(person)} (${person.username})`,
      }))}
      onChange={(user) => {
        if (user === null) return
        onAdd(Number(user))
        setText('')
      }}
    />
  )
}
