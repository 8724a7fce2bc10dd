import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { Alert, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type Person, useOrg } from './people-calls.ts'
import classes from './permission.module.css'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

type Act = { session: string } | { credential: string } | { lift: true }

/** Tab of a person's sessions and factors, for an administrator who helps after the loss of a phone. */
export function SecurityTab({ person }: { person: Person }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const at = { org, user: person.id }
  const security = useQuery(query(api.core.userSecurity, { params: at }))
  const act = useMutation({
    mutationFn: (what: Act) => {
      if ('lift' in what) return api.core.liftUserLock({ params: at })
      return 'session' in what
        ? api.core.endUserSession({ params: { ...at, ...what } })
        : api.core.removeUserCredential({ params: { ...at, ...what } })
    },
    onSettled: () => stale(api.core.userSecurity),
  })
  if (security.error || !security.data) return <ContentPending {...security} rows={6} />
  const { sessions, credentials, requiredActions, lockedUntil } = security.data
  return (
    <div className={classes.form}>
      {requiredActions.length > 0 && <RequiredActions actions={requiredActions} />}
      {lockedUntil && <Locked until={lockedUntil} onLift={() => act.mutate({ lift: true })} />}
      <h3 className={classes.heading}>{t('permission.sessions')}</h3>
      {sessions.length === 0 && <p className={classes.dim}>{t('permission.noSession')}</p>}
      <ul className={classes.list}>
        {sessions.map(({ id, ipAddress, userAgent, lastAccess }) => (
          <li key={id}>
            <span className={classes.grow}>
              {ipAddress} · <RelativeTime at={lastAccess.getTime()} />
              <span className={classes.dim} title={userAgent}>
                {' '}
                {userAgent.slice(0, 60)}
              </span>
            </span>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('permission.endOne', { address: ipAddress })}
              onClick={() => act.mutate({ session: id })}
            >
              {t('permission.end')}
            </Button>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button variant="default" onClick={() => act.mutate({ session: 'all' })}>
          {t('permission.endAll')}
        </Button>
      )}
      <h3 className={classes.heading}>{t('permission.factors')}</h3>
      {credentials.length === 0 && <p className={classes.dim}>{t('permission.noFactor')}</p>}
      <ul className={classes.list}>
        {credentials.map(({ id, type, userLabel, createdDate }) => (
          <li key={id}>
            <span className={classes.grow}>
              {userLabel || t(`permission.factor.${type}`)} ·{' '}
              <RelativeTime at={createdDate.getTime()} />
            </span>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('permission.resetOne', { name: userLabel || type })}
              onClick={() => act.mutate({ credential: id })}
            >
              {t('permission.reset')}
            </Button>
          </li>
        ))}
      </ul>
      {act.error && <ErrorPanel {...errorText(act.error)} />}
    </div>
  )
}

function RequiredActions({ actions }: { actions: readonly string[] }) {
  const findWords = useOptionalWords()
  const texts = actions.map((action) => findWords(`permission.action.${action}`) ?? action)
  return <p className={classes.dim}>{texts.join(' ')}</p>
}

function Locked({ until, onLift }: { until: Date; onLift: () => void }) {
  const t = useWords()
  return (
    <Alert color="orange">
      <p style={{ margin: '0 0 8px' }}>
        {t('permission.lockedUntil')} <RelativeTime at={until.getTime()} />
      </p>
      <Button size="compact-sm" variant="default" onClick={onLift}>
        {t('permission.liftLock')}
      </Button>
    </Alert>
  )
}
