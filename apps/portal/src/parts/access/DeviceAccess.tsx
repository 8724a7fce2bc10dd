import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import classes from './access.module.css'
import { api } from '../api/api.ts'
import { useErrorText } from '../words/error-text.ts'
import { Reasons } from './ReasonChain.tsx'
import { personName } from './right-text.ts'
import { useSession } from '../session/session.ts'

type Entry = Result<(typeof coreContract)['endpoints']['deviceAccess']>['content'][number]

const pageSize = 25
const rights = ['read', 'history', 'write'] as const

/** People with permissions on a device, and the roles and groups that grant them. */
export function DeviceAccess({ device }: { device: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const { organization, permissions } = useSession()
  const org = organization.resourceId
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const may = permissions.has('users:read')
  const found = useInfiniteQuery({
    queryKey: [api.core.deviceAccess.key, org, device, search],
    queryFn: ({ pageParam, signal }) =>
      api.core.deviceAccess(
        {
          params: { org, device },
          query: { page: pageParam, pageSize, ...(search !== '' && { search }) },
        },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
    enabled: may,
  })
  if (!may) return <EmptyState kind="forbidden" title={t('access.mayNotSeePeople')} />
  if (found.error)
    return <ErrorPanel {...errorText(found.error)} onRetry={() => void found.refetch()} />
  if (!found.data) return <RowsSkeleton rows={6} />
  const people = found.data.pages.flatMap(({ content }) => content)
  return (
    <div className={classes.access}>
      <TextInput
        className={classes.search ?? ''}
        aria-label={t('access.findPerson')}
        placeholder={t('access.findPerson')}
        leftSection={<IconSearch size={15} stroke={1.6} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {people.length === 0 ? (
        <EmptyState
          kind={search === '' ? 'nothing' : 'filtered'}
          title={t(search === '' ? 'access.nobody' : 'access.nobodyFound')}
        />
      ) : (
        <ul className={classes.people}>
          {people.map((entry) => (
            <OnePerson key={entry.user.id} entry={entry} />
          ))}
        </ul>
      )}
      {found.hasNextPage && (
        <Button
          variant="default"
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t('access.morePeople')}
        </Button>
      )}
    </div>
  )
}

function OnePerson({ entry }: { entry: Entry }) {
  const t = useWords()
  const { user, actions, paths, reasons } = entry
  const limited = rights.filter((right) => Array.isArray(paths[right]))
  return (
    <li className={classes.person}>
      <details>
        <summary className={classes.summary}>
          <span className={classes.who}>
            <strong>{personName(user)}</strong>
            <span className={classes.dim}>{user.username}</span>
          </span>
          <span className={classes.dim}>
            {actions.map((action) => t(`access.action.${action}`)).join(', ')}
          </span>
        </summary>
        {limited.map((right) => (
          <p key={right} className={classes.dim}>
            {t(`access.right.${right}`)}: {[paths[right]].flat().join(', ')}
          </p>
        ))}
        <Reasons explained={{ reasons }} />
      </details>
    </li>
  )
}
