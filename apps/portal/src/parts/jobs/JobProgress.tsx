import { Button, Group, Progress, Text } from '@mantine/core'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, stale } from '../api/api.ts'
import { useErrorText } from '../words/error-text.ts'
import { downloadOf, JobDownload } from './JobDownload.tsx'
import classes from './jobs.module.css'
import type { ServiceJob } from './jobs.ts'
import { useJobName } from './use-job-name.ts'
import { useServerText } from '../words/server-text.ts'
import { useSession } from '../session/session.ts'

const colors = { PROCESSING: 'blue', DONE: 'teal', ERROR: 'red', CANCELLED: 'gray' } as const

/** Progress of a job, its failed steps and the actions for it. Needs the words of `jobs`. */
export function JobProgress({ job }: { job: ServiceJob }) {
  const t = useWords()
  const serverText = useServerText()
  const jobName = useJobName()
  const { state, total, done, failed } = job
  const [shown, setShown] = useState(false)
  const percent = total > 0 ? (100 * done) / total : state === 'DONE' ? 100 : 0
  return (
    <div className={classes.progress}>
      <Progress
        value={percent}
        color={failed > 0 && state === 'DONE' ? 'orange' : colors[state]}
        animated={state === 'PROCESSING'}
        striped={state === 'PROCESSING' && total === 0}
        aria-label={t('jobs.progress', { label: jobName(job) })}
      />
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed">
          {t(`jobs.state.${state}`, { done, total, failed })}
          {job.error !== null && ` ${serverText({ code: job.errorCode ?? '' })}`}
        </Text>
        <Actions job={job} shown={shown} onShow={() => setShown(!shown)} />
      </Group>
      {shown && failed > 0 && <Failures job={job} />}
    </div>
  )
}

type ActionsProps = { job: ServiceJob; shown: boolean; onShow: () => void }

function Actions({ job, shown, onShow }: ActionsProps) {
  const t = useWords()
  const { organization } = useSession()
  const { service, state, failed } = job
  const input = { params: { jobId: job.id }, query: { organization: organization.resourceId } }
  const act = useJobAction(service)
  const download = downloadOf(job)
  const small = { size: 'compact-xs', variant: 'default' } as const
  return (
    <Group gap={4}>
      {download && <JobDownload job={job} download={download} />}
      {failed > 0 && (
        <Button size="compact-xs" variant="subtle" aria-expanded={shown} onClick={onShow}>
          {t('jobs.failures', { failed })}
        </Button>
      )}
      {failed > 0 && state !== 'PROCESSING' && (
        <Button {...small} onClick={() => void act(() => api[service].retryJob(input))}>
          {t('jobs.retry')}
        </Button>
      )}
      {state === 'PROCESSING' && (
        <Button {...small} onClick={() => void act(() => api[service].cancelJob(input))}>
          {t('ui.cancel')}
        </Button>
      )}
    </Group>
  )
}

function useJobAction(service: ServiceJob['service']) {
  const toast = useToast()
  const errorText = useErrorText()
  return async (call: () => Promise<unknown>) => {
    try {
      await call()
    } catch (error) {
      toast({ kind: 'failed', message: errorText(error).message })
    }
    await Promise.all([stale(api[service].jobs), stale(api[service].job)])
  }
}

function Failures({ job }: { job: ServiceJob }) {
  const t = useWords()
  const { organization } = useSession()
  const input = { params: { jobId: job.id }, query: { organization: organization.resourceId } }
  const { data } = useQuery(query(api[job.service].jobFailures, input))
  const serverText = useServerText()
  const failures = data?.data ?? []
  return (
    <ul className={classes.failures} aria-label={t('jobs.failures', { failed: job.failed })}>
      {failures.map(({ label, ...said }, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- the list only ever grows at its end
        <li key={n}>
          <strong>{label}</strong> {serverText(said)}
        </li>
      ))}
      {job.failed > failures.length && failures.length > 0 && (
        <li>{t('jobs.more', { count: job.failed - failures.length })}</li>
      )}
    </ul>
  )
}
