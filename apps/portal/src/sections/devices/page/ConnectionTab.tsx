import { numberFormat } from '@longreach/ui/number-writing'
import { EmptyState } from '@longreach/ui/EmptyState'
import { formatTime } from '@longreach/ui/format'
import { Panel } from '@longreach/ui/PageHeader'
import { useNow } from '@longreach/ui/RelativeTime'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useLook } from '../../../parts/look/look.ts'
import { bandsOf, type Connection, uptimePercent } from './connection-bands.ts'
import type { Row } from '../device-rows.ts'
import shared from './device-page.module.css'
import classes from './ConnectionTab.module.css'
import { durationText } from '../duration-text.ts'
import { ScrollBox } from '../ScrollBox.tsx'
import { UptimeStrip } from './UptimeStrip.tsx'
import { useConnections } from './use-connections.ts'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'

const dayMs = 86_400_000
const shownAtFirst = 50

/** Tab of the device's connections and losses, its availability, and a warning of frequent losses. */
export function ConnectionTab({ device }: { device: Row }) {
  const t = useWords()
  const { zone } = useLook()
  const now = useNow()
  const { data, error, refetch } = useConnections(device.deviceId)
  if (error || !data) return <ContentPending {...{ error, refetch }} rows={12} />
  const window = { from: now - dayMs, to: now }
  const knownFrom = now - (data.uptime[0]?.knownMs ?? 0)
  const zoneText = <span className={shared.dim}>{zone}</span>
  return (
    <div className={shared.stack}>
      <Panel title={t('device-page.lastDay')} beside={zoneText}>
        {data.flapping && (
          <p className={shared.warning} role="status">
            <StatusDot tone="warning">
              {t('device-page.flapping', { count: data.flapping.losses })}
            </StatusDot>
          </p>
        )}
        <UptimeStrip
          bands={bandsOf(data.connections, window, knownFrom)}
          window={window}
          zone={zone}
        />
        <Figures uptime={data.uptime} />
      </Panel>
      <Panel title={t('devices.tab.connection')} beside={zoneText}>
        {data.connections.length === 0 ? (
          <EmptyState
            kind="nothing"
            title={t('devices.neverConnected')}
            text={t('device-page.neverConnectedText')}
          />
        ) : (
          <Connections connections={data.connections} zone={zone} />
        )}
      </Panel>
    </div>
  )
}

type Uptime = { days: number; onlineMs: number; knownMs: number; losses: number }

/** Availability of the device in the last day, week and month. */
function Figures({ uptime }: { uptime: readonly Uptime[] }) {
  const t = useWords()
  const { locale } = useIntl()
  const percent = numberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  return (
    <dl className={classes.figures}>
      {uptime.map((one) => {
        const share = uptimePercent(one)
        return (
          <div key={one.days}>
            <dt>{t('device-page.uptimeDays', { days: one.days })}</dt>
            <dd>
              <b>{share === undefined ? '—' : percent.format(share / 100)}</b>
              <span className={shared.dim}>
                {t('device-page.losses', { count: one.losses })}
                {one.knownMs > 0 &&
                  one.knownMs < one.days * dayMs - 60_000 &&
                  ` · ${t('device-page.knownFor', { time: durationText(one.knownMs, locale) })}`}
              </span>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Connections({ connections, zone }: { connections: readonly Connection[]; zone: string }) {
  const t = useWords()
  const { locale } = useIntl()
  const now = useNow()
  const [most, setMost] = useState(shownAtFirst)
  const time = (at: number) => formatTime(new Date(at), locale, zone)
  return (
    <ScrollBox label={t('devices.tab.connection')}>
      <table className={shared.table}>
        <thead>
          <tr>
            <th scope="col">{t('device-page.from')}</th>
            <th scope="col">{t('device-page.until')}</th>
            <th scope="col">{t('devices.for')}</th>
            <th scope="col">{t('device-page.ip')}</th>
          </tr>
        </thead>
        <tbody>
          {connections.slice(0, most).map(({ from, to, ip }) => (
            <tr key={from}>
              <td className={classes.time}>{time(from)}</td>
              <td className={classes.time}>
                {to === null ? (
                  <StatusDot tone="ok">{t('device-page.stillThere')}</StatusDot>
                ) : (
                  time(to)
                )}
              </td>
              <td className={classes.time}>{durationText((to ?? now) - from, locale)}</td>
              <td>
                <code>{ip ?? '—'}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {connections.length > most && (
        <Button variant="subtle" onClick={() => setMost(most + 200)}>
          {t('device-page.more', { count: connections.length - most })}
        </Button>
      )}
    </ScrollBox>
  )
}
