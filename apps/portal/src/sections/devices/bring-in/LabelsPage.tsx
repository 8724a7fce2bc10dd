import { late } from '@longreach/ui/late'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { PageHeader, Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation, useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../parts/api/api.ts'
import { deviceQuery } from '../../../parts/devices/devices.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay } from '../../../parts/session/session.ts'
import { all, useSearch } from '../../../parts/pages/use-search.ts'
import { Breadcrumb } from '../../../parts/pages/Breadcrumb.tsx'
import classes from './import.module.css'

const LabelPrint = late(() => import('./LabelPrint.tsx'), 'LabelPrint', <RowsSkeleton rows={4} />)

/** Labels of devices that are there already; with keys only when new ones are asked for. */
export function Component() {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const may = useMay()('devices:update')
  const [search] = useSearch()
  const ids = [...new Set(all(search['device']))]
  const found = useQueries({ queries: ids.map((id) => deviceQuery(org, id)) })
  const devices = found.flatMap(({ data }) => (data ? [data.value] : []))
  const issue = useMutation({
    mutationFn: async () => {
      const keys = new Map<string, string>()
      for (const { deviceId } of devices) {
        const made = await api.platform.issueActivationKey({ params: { org, deviceId }, body: {} })
        keys.set(deviceId, made.activationKey)
      }
      return keys
    },
  })
  const failed = found.find(({ error }) => error)?.error
  const labels = devices.map(({ deviceId, label, serialNumber }) => ({
    deviceId,
    label,
    serialNumber,
    activationKey: issue.data?.get(deviceId) ?? '',
  }))
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('device-import.labelsTitle')}
        count={ids.length}
        help={t('device-import.labelsHelp')}
        trail={<Breadcrumb to="/devices" section="devices" />}
      />
      {failed && <ErrorPanel {...errorText(failed)} />}
      {ids.length === 0 ? (
        <NoneChosen />
      ) : found.some(({ isPending }) => isPending) ? (
        <RowsSkeleton rows={4} />
      ) : (
        <Panel>
          <div className={classes.form}>
            {!issue.data && (
              <div className={classes.bar}>
                <p className={classes.dim}>{t('device-import.newKeysText')}</p>
                <Button
                  variant="default"
                  disabled={!may || devices.length === 0}
                  loading={issue.isPending}
                  {...(!may && { title: t('devices.mayNotUpdate') })}
                  onClick={() => issue.mutate()}
                >
                  {t('device-import.newKeys', { count: devices.length })}
                </Button>
              </div>
            )}
            {issue.error && <ErrorPanel {...errorText(issue.error)} />}
            <LabelPrint labels={labels} />
          </div>
        </Panel>
      )}
    </div>
  )
}

/** Labels are printed of a selection, which is made in the list. */
function NoneChosen() {
  const t = useWords()
  return (
    <Panel>
      <EmptyState
        kind="nothing"
        title={t('device-import.labelsNone')}
        text={t('device-import.labelsNoneText')}
        action={
          <Button component={Link} to="/devices">
            {t('device-import.toDevices')}
          </Button>
        }
      />
    </Panel>
  )
}
