import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useActorName } from '../../../parts/audit/actor-name.ts'
import { api, query } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useReach } from '../../../parts/session/reach.ts'
import classes from './device-page.module.css'
import { ScrollBox } from '../ScrollBox.tsx'

type Props = {
  deviceId: string
  /** The version that the wanted one is compared with. */
  compared: number | undefined
  onCompare: (version: number | undefined) => void
}

/** The configurations that the device was to have: when, by whom, and what became of each. */
export function ConfigurationHistory({ deviceId, compared, onCompare }: Props) {
  const t = useWords()
  const nameOf = useActorName()
  const errorText = useErrorText()
  const org = useReach()
  const { data, error, refetch } = useQuery({
    ...query(api.platform.configurations, { params: { org, deviceId } }),
    refetchInterval: 10_000,
  })
  if (error) return <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
  if (!data || data.length === 0) return null
  return (
    <Panel title={t('device-page.configHistory')}>
      <ScrollBox label={t('device-page.configHistory')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('device-page.version')}</th>
              <th scope="col">{t('devices.time')}</th>
              <th scope="col">{t('device-page.by')}</th>
              <th scope="col">{t('devices.status')}</th>
              <th scope="col">{t('device-page.comparison')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((one, index) => (
              <tr key={one.version}>
                <td>{one.version}</td>
                <td>
                  <RelativeTime at={one.at} />
                </td>
                <td>{one.by === null ? '—' : nameOf(one.by)}</td>
                <td>
                  <VersionState version={one} />
                </td>
                <td>
                  {index > 0 && !one.none && (
                    <Button
                      variant={compared === one.version ? 'filled' : 'default'}
                      size="compact-sm"
                      aria-pressed={compared === one.version}
                      onClick={() => onCompare(compared === one.version ? undefined : one.version)}
                    >
                      {t('device-page.compareWith', { version: one.version })}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </Panel>
  )
}

type Version = Awaited<ReturnType<typeof api.platform.configurations>>[number]

function VersionState({ version }: { version: Version }) {
  const t = useWords()
  if (version.none) return <Tag tone="off">{t('device-page.takenAway')}</Tag>
  if (version.error) return <Tag tone="alarm">{t('devices.config.error')}</Tag>
  if (version.appliedAt !== null)
    return (
      <>
        <Tag tone="ok">{t('devices.config.applied')}</Tag> <RelativeTime at={version.appliedAt} />
      </>
    )
  return version.sentAt === null ? (
    <Tag tone="off">{t('devices.config.waiting')}</Tag>
  ) : (
    <Tag tone="warning">{t('devices.config.sent')}</Tag>
  )
}
