import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { Tag } from '@longreach/ui/StatusDot'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useErrorText } from '../../parts/words/error-text.ts'
import { accountChanged, useAccount } from './account-calls.ts'
import classes from './account.module.css'
import { AccountFailure } from './SignInAgain.tsx'

/** Tab of the person's sessions, with the buttons that end them. */
export function SessionsTab() {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const account = useAccount()
  const list = useQuery({ ...account.sessions, refetchInterval: 30_000 })
  const endAll = useMutation({
    mutationFn: account.endOtherSessions,
    onSuccess: async () => {
      await accountChanged()
      toast({ message: t('account.othersEnded') })
    },
  })
  if (list.error)
    return <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
  const devices = list.data ?? []
  const others = devices.flatMap(({ sessions }) => sessions).filter(({ current }) => !current)
  return (
    <Panel
      title={t('account.tab.sessions')}
      beside={
        others.length > 0 && (
          <Button variant="default" loading={endAll.isPending} onClick={() => endAll.mutate()}>
            {t('account.endOthers')}
          </Button>
        )
      }
    >
      <p className={classes.text}>{t('account.sessionsText')}</p>
      <AccountFailure error={endAll.error} />
      {list.isPending && <RowsSkeleton rows={3} />}
      <ul className={classes.rows}>
        {devices.flatMap(({ os, mobile, sessions }) =>
          sessions.map((session) => <OneSession key={session.id} {...{ os, mobile, session }} />),
        )}
      </ul>
    </Panel>
  )
}

type OneSessionProps = {
  os: string
  mobile: boolean
  session: {
    id: string
    browser: string
    ipAddress: string
    started: number
    lastAccess: number
    current: boolean
  }
}

function OneSession({ os, mobile, session }: OneSessionProps) {
  const t = useWords()
  const account = useAccount()
  const { id, browser, ipAddress, started, lastAccess, current } = session
  const Icon = mobile ? IconDeviceMobile : IconDeviceDesktop
  const end = useMutation({
    mutationFn: () => account.endSession(id),
    onSuccess: () => accountChanged(),
  })
  return (
    <li className={classes.row}>
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className={classes.what}>
        <strong>
          {browser === '' || os === ''
            ? browser || os || t('account.otherProgram')
            : t('account.browserOn', { browser, os })}
        </strong>
        <span className={classes.dim}>
          {ipAddress} · {t('account.started')} <RelativeTime at={started * 1000} /> ·{' '}
          {t('account.lastSeen')} <RelativeTime at={lastAccess * 1000} />
        </span>
      </span>
      {current ? (
        <Tag tone="ok">{t('account.thisOne')}</Tag>
      ) : (
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          {t('account.end')}
        </Button>
      )}
      {end.error && <AccountFailure error={end.error} />}
    </li>
  )
}
