import { Panel } from '@longreach/ui/PageHeader'
import { useNow } from '@longreach/ui/RelativeTime'
import { StatusDot, Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { useIntl } from 'react-intl'
import { isOfAlarms } from '../../../parts/alarms/device-alarms.ts'
import { LiveBadge } from '../../../parts/live/LiveBadge.tsx'
import { useLook } from '../../../parts/look/look.ts'
import { useSearch } from '../../../parts/pages/use-search.ts'
import { bandsOf, uptimePercent } from './connection-bands.ts'
import { ConnectionState } from '../ConnectionState.tsx'
import type { Row } from '../device-rows.ts'
import shared from './device-page.module.css'
import classes from './DeviceOverview.module.css'
import { ChosenValues } from './DeviceValues.tsx'
import { DeviceFacts } from '../DeviceFacts.tsx'
import { durationText } from '../duration-text.ts'
import { PositionMap } from './PositionMap.tsx'
import { UptimeStrip } from './UptimeStrip.tsx'
import { useConnections } from './use-connections.ts'

const dayMs = 86_400_000

/** The device at a glance: its line, its newest values, and what is known of it. */
export function DeviceOverview({ device }: { device: Row }) {
  const t = useWords()
  const attributes = Object.entries(device.attributes).filter(([name]) => !isOfAlarms(name))
  return (
    <div className={shared.columns}>
      <Panel title={t('devices.values')} beside={<LiveBadge />}>
        <ChosenValues device={device} chart most={30} />
      </Panel>
      <div className={shared.stack}>
        <Line device={device} />
        <Panel title={t('devices.details')}>
          <DeviceFacts device={device} />
        </Panel>
        {device.position && (
          <Panel title={t('device-page.position')}>
            <PositionMap position={device.position} />
          </Panel>
        )}
        {device.tags.length > 0 && (
          <Panel title={t('device-page.tags')}>
            <div className={shared.chips}>
              {device.tags.map((tag) => (
                <Tag key={tag} tone="info">
                  {tag}
                </Tag>
              ))}
            </div>
          </Panel>
        )}
        {attributes.length > 0 && (
          <Panel title={t('device-page.attributes')}>
            <dl className={shared.facts}>
              {attributes.map(([key, value]) => (
                <div key={key} className={classes.pairOfFacts}>
                  <dt>{key}</dt>
                  <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
                </div>
              ))}
            </dl>
          </Panel>
        )}
      </div>
    </div>
  )
}

/** The device's line over the last day; more of it on its own tab. */
function Line({ device }: { device: Row }) {
  const t = useWords()
  const { zone } = useLook()
  const now = useNow()
  const [, change] = useSearch()
  const { data } = useConnections(device.deviceId)
  const [day] = data?.uptime ?? []
  return (
    <Panel
      title={t('device-page.lastDay')}
      beside={<ConnectionState connected={device.connected} since={device.since} />}
    >
      {data ? (
        <UptimeStrip
          bands={bandsOf(
            data.connections,
            { from: now - dayMs, to: now },
            now - (day?.knownMs ?? 0),
          )}
          window={{ from: now - dayMs, to: now }}
          zone={zone}
        />
      ) : (
        <div className={classes.stripToCome} aria-hidden />
      )}
      {data?.flapping && (
        <p className={shared.warning}>
          <StatusDot tone="warning">
            {t('device-page.flapping', { count: data.flapping.losses })}
          </StatusDot>
        </p>
      )}
      <p className={shared.dim}>
        {day && <Uptime day={day} />}
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={() => void change({ tab: 'history', kind: 'connection' }, { push: true })}
        >
          {t('devices.tab.connection')}
        </Anchor>
      </p>
    </Panel>
  )
}

type UptimeProps = { day: { days: number; onlineMs: number; knownMs: number } }

/** Availability of the device in the last day; while too little of it is known, the known share. */
function Uptime({ day }: UptimeProps) {
  const t = useWords()
  const { formatNumber, locale } = useIntl()
  const share = uptimePercent(day)
  if (share === undefined)
    return (
      day.knownMs > 0 &&
      `${t('device-page.knownFor', { time: durationText(day.knownMs, locale) })} · `
    )
  const percent = formatNumber(share / 100, { style: 'percent', maximumFractionDigits: 1 })
  return `${t('device-page.uptimeDays', { days: 1 })}: ${percent} · `
}
