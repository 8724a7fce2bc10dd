import { type Resource, resources } from '@longreach/authorization/permissions'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { UnstyledButton } from '@mantine/core'
import { IconCheck, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import classes from './access.module.css'
import { api, query } from '../api/api.ts'
import { useErrorText } from '../words/error-text.ts'
import { type Explained, Reasons } from './ReasonChain.tsx'
import { useRightText } from './right-text.ts'
import { means } from './rights-table.ts'
import { useSession } from '../session/session.ts'

/** Everything that a person may do in the organization; a right that is pressed says through what. */
export function UserAccess({ user }: { user: number | 'me' }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const access = useQuery(query(api.core.userAccess, { params: { org, user } }))
  const [opened, setOpened] = useState<string>()
  if (access.error)
    return <ErrorPanel {...errorText(access.error)} onRetry={() => void access.refetch()} />
  if (!access.data) return <RowsSkeleton rows={6} />
  const { rights, member, policies, conditions, user: who } = access.data
  if (rights.length === 0)
    return <EmptyState kind="forbidden" title={t('access.none', { username: who.username })} />
  const shown = rights.filter(({ resource, action }) => means(`${resource}:${action}`))
  const byResource = Map.groupBy(shown, ({ resource }) => resource)
  const open = rights.find(({ resource, action }) => `${resource}:${action}` === opened)
  return (
    <div className={classes.access}>
      {!member && <p className={classes.dim}>{t('access.notMember')}</p>}
      {policies.length > 0 && (
        <p className={classes.dim}>
          {t('access.onlyDevicesIn', { names: policies.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {(conditions.secondFactor || conditions.addresses.length > 0) && (
        <p className={classes.dim}>
          {conditions.secondFactor && t('access.withSecondFactor')}{' '}
          {conditions.addresses.length > 0 &&
            t('access.fromAddresses', { addresses: conditions.addresses.join(', ') })}
        </p>
      )}
      <dl className={classes.rights}>
        {resources
          .filter((resource) => byResource.has(resource))
          .map((resource) => (
            <OfResource
              key={resource}
              {...{ resource, opened }}
              rights={byResource.get(resource) ?? []}
              onOpen={setOpened}
            />
          ))}
      </dl>
      {open ? <Why explained={open} /> : <p className={classes.dim}>{t('access.pressOne')}</p>}
    </div>
  )
}

type OfResourceProps = {
  resource: Resource
  rights: readonly Explained[]
  opened: string | undefined
  onOpen: (right: string | undefined) => void
}

function OfResource({ resource, rights, opened, onOpen }: OfResourceProps) {
  const t = useWords()
  return (
    <div className={classes.resource}>
      <dt>{t(`access.resource.${resource}`)}</dt>
      <dd>
        {rights.map(({ action, allowed }) => {
          const right = `${resource}:${action}`
          const Icon = allowed ? IconCheck : IconLock
          return (
            <UnstyledButton
              key={action}
              className={classes.right}
              data-allowed={allowed || undefined}
              aria-pressed={opened === right}
              onClick={() => onOpen(opened === right ? undefined : right)}
            >
              <Icon size={12} stroke={2.2} aria-label={allowed ? undefined : t('access.stopped')} />
              {t(`access.action.${action}`)}
            </UnstyledButton>
          )
        })}
      </dd>
    </div>
  )
}

function Why({ explained }: { explained: Explained }) {
  const t = useWords()
  const rightText = useRightText()
  const { resource, action, below } = explained
  return (
    <section className={classes.why} aria-live="polite">
      <h3 className={classes.whyTitle}>
        {rightText(`${resource}:${action}`)}
        {below && <span className={classes.dim}> · {t('access.belowToo')}</span>}
      </h3>
      <Reasons explained={explained} />
    </section>
  )
}
