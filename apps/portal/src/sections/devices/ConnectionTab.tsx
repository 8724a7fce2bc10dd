import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { formatTime } from '@longreach/ui/format'
import { Panel } from '@longreach/ui/PageHeader'
import { useNow } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { api, query } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useReach } from '../../lib/reach.ts'
import { usualZone } from '../../lib/time-zone.ts'
import type { Row } from './device-columns.tsx'
import classes from './devices.module.css'

/** When the device came and went, newest first. */
export function ConnectionTab({ device }: { device: Row }) {
  const t = useWords()
  const { locale } = useIntl()
  const errorText = useErrorText()
  const org = useReach()
  const asked = { params: { org, deviceId: device.deviceId }, query: { limit: 1000 } }
  const now = useNow()
  const { data, error, refetch } = useQuery({
    ...query(api.platform.status, asked),
    refetchInterval: 15_000,
  })
  if (error) return <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton />
  const rows = data
    .flatMap(({ data: changes }) => changes)
    .map(([at, connected]) => ({ at: Number(at), connected: connected === true }))
    .toSorted((a, b) => b.at - a.at)
  return (
    <Panel
      title={t('devices.tab.connection')}
      beside={<span className={classes.dim}>{usualZone()}</span>}
    >
      {rows.length === 0 ? (
        <p className={classes.dim}>{t('devices.neverConnected')}</p>
      ) : (
        <table className={classes.history}>
          <thead>
            <tr>
              <th scope="col">{t('devices.time')}</th>
              <th scope="col">{t('devices.status')}</th>
              <th scope="col">{t('devices.for')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ at, connected }, index) => (
              <tr key={`${at} ${index}`}>
                <td>{formatTime(new Date(at), locale)}</td>
                <td>
                  <StatusDot tone={connected ? 'ok' : 'off'}>
                    {connected ? t('devices.online') : t('devices.offline')}
                  </StatusDot>
                </td>
                <td>{durationText((rows[index - 1]?.at ?? now) - at, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

/** A length of time in its two largest units: `3 d 4 h`. */
export function durationText(ms: number, locale: string) {
  const sizes = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ] as const
  let rest = Math.max(0, ms)
  const parts = sizes.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' })
    return count > 0 ? [format.format(count)] : []
  })
  const none = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
  })
  return parts.slice(0, 2).join(' ') || none.format(0)
}
