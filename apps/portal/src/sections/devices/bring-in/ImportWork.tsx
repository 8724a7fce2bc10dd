import { late } from '@longreach/ui/late'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, query, stale } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { JobProgress } from '../../../parts/jobs/JobProgress.tsx'
import { useJob } from '../../../parts/jobs/jobs.ts'
import { useSession } from '../../../parts/session/session.ts'
import { devicesChanged } from '../device-calls.ts'
import type { DeviceImport } from './import-calls.ts'
import classes from './import.module.css'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'

const ImportSheet = late(
  () => import('./ImportSheet.tsx'),
  'ImportSheet',
  <RowsSkeleton rows={6} />,
)

/** Progress of an import; then its table with the activation keys, to save and to print. */
export function ImportWork({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useWords()
  const organization = useSession().organization.resourceId
  const asked = { params: { import: id }, query: { organization } }
  const found = useQuery(query(api.mappings.deviceImport, asked))
  const job = useJob('mappings', found.data?.jobId ?? undefined)
  const ended = job.data !== undefined && job.data.state !== 'PROCESSING'
  useEffect(() => {
    if (ended) void Promise.all([stale(api.mappings.deviceImport), devicesChanged()])
  }, [ended])
  if (found.error || !found.data) return <ContentPending {...found} rows={4} />
  const { name, made, total } = found.data
  const working = found.data.jobId !== null && !ended && job.error === null
  return (
    <Panel title={name === '' ? t('device-import.pasted') : name}>
      <div className={classes.form}>
        {job.data && <JobProgress job={{ ...job.data, service: 'mappings' }} />}
        <p className={classes.counts} role="status">
          {t('device-import.madeOf', { made, total })}
        </p>
        <Keys found={found.data} working={working} onClose={onClose} />
      </div>
    </Panel>
  )
}

type KeysProps = { found: DeviceImport; working: boolean; onClose: () => void }

/** The keys, once somebody asks to see them. */
function Keys({ found: { id, keys, shownUntil }, working, onClose }: KeysProps) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const show = useMutation({
    mutationFn: () =>
      api.mappings.deviceImportSheet({ params: { import: id }, query: { organization } }),
  })
  const sheet = show.data?.data
  return (
    <>
      {sheet ? (
        <ImportSheet sheet={sheet} id={id} />
      ) : (
        <p className={classes.dim}>
          {t(keys > 0 ? 'device-import.keys' : 'device-import.noKeys', {
            count: keys,
            time: shownUntil,
          })}
        </p>
      )}
      {show.error && <ErrorPanel {...errorText(show.error)} />}
      <div className={classes.bar}>
        <Button variant="default" onClick={onClose}>
          {t('device-import.another')}
        </Button>
        {!sheet && (
          <Button disabled={working} loading={show.isPending} onClick={() => show.mutate()}>
            {t('device-import.showSheet')}
          </Button>
        )}
      </div>
    </>
  )
}
