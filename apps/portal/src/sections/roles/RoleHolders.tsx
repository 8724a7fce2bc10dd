import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { personName } from '../../parts/access/right-text.ts'
import { useSession } from '../../parts/session/session.ts'
import shared from './roles.module.css'
import classes from './RoleHolders.module.css'

const pageSize = 50
type Groups = Result<(typeof coreContract)['endpoints']['roleAccess']>['groups']

/** List of the people who have the role, with the groups that give it to them. */
export function RoleHolders({ roleId }: { roleId: number }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const held = useInfiniteQuery({
    queryKey: [api.core.roleAccess.key, org, roleId],
    queryFn: ({ pageParam, signal }) =>
      api.core.roleAccess(
        { params: { org, role: roleId }, query: { page: pageParam, pageSize } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ people }) => (people.last ? undefined : people.number + 1),
  })
  if (held.error)
    return <ErrorPanel {...errorText(held.error)} onRetry={() => void held.refetch()} />
  const [first] = held.data?.pages ?? []
  if (!first) return <RowsSkeleton rows={6} />
  const people = held.data?.pages.flatMap((page) => page.people.content) ?? []
  const { groups, peopleBelow } = first
  const total = first.people.totalElements
  if (groups.length === 0) return <Nobody peopleBelow={peopleBelow} />
  return (
    <div className={classes.columns}>
      {peopleBelow > 0 && (
        <p className={classes.below}>{t('roles.peopleBelow', { count: peopleBelow })}</p>
      )}
      <Groups groups={groups} />
      <Panel title={t('roles.people', { count: total })}>
        {people.length === 0 && total > 0 && (
          <p className={shared.text}>{t('roles.mayNotSeePeople')}</p>
        )}
        <ul className={classes.list}>
          {people.map(({ user, groups: through }) => (
            <li key={user.id}>
              <span>
                {personName(user)} <span className={shared.dim}>{user.username}</span>
              </span>
              <span className={shared.dim}>{through.map(({ label }) => label).join(', ')}</span>
            </li>
          ))}
        </ul>
        {held.hasNextPage && (
          <div className={shared.add}>
            <Button
              variant="default"
              loading={held.isFetchingNextPage}
              onClick={() => void held.fetchNextPage()}
            >
              {t('roles.morePeople')}
            </Button>
          </div>
        )}
      </Panel>
    </div>
  )
}

function Nobody({ peopleBelow }: { peopleBelow: number }) {
  const t = useWords()
  return (
    <EmptyState
      kind="nothing"
      title={t('roles.nobodyHasIt')}
      text={
        peopleBelow > 0
          ? t('roles.peopleBelow', { count: peopleBelow })
          : t('roles.nobodyHasItText')
      }
      action={
        <Button variant="default" component={Link} to="/permission/groups">
          {t('roles.toGroups')}
        </Button>
      }
    />
  )
}

function Groups({ groups }: { groups: Groups }) {
  const t = useWords()
  return (
    <Panel title={t('roles.groups')}>
      <ul className={classes.list}>
        {groups.map(({ id, label, type, people: count }) => (
          <li key={id}>
            {type === 'STANDARD' ? (
              <Anchor component={Link} to={`/permission/groups?group=${id}`} inherit>
                {label}
              </Anchor>
            ) : (
              <span>
                {label} <span className={shared.dim}>{t('roles.ownGroup')}</span>
              </span>
            )}
            <span className={shared.dim}>{t('roles.peopleCount', { count })}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
