import { chartColors } from '@longreach/ui/series-colors'
import { useNow } from '@longreach/ui/RelativeTime'
import { PanelSection } from '@longreach/ui/SidePanel'
import { TimeChart } from '@longreach/ui/TimeChart'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import type { Alarm } from '../../parts/alarms/alarm-calls.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { useTags } from '../../parts/devices/devices.ts'
import { isDrawable } from '../../parts/devices/tags.ts'
import { broken, sourceKey } from '../../parts/history/history.ts'
import { chooseResolution } from '../../parts/history/resolution.ts'
import { useHistory } from '../../parts/history/use-history.ts'

const aroundMs = 15 * 60_000
const stepMs = 10_000

/** The value of an alarm from 15 minutes before the raise to 15 minutes after, with its limits. */
export function AlarmChart({ alarm, path }: { alarm: Alarm; path: string }) {
  const t = useWords()
  const zone = usualZone()
  const { deviceId, longreach } = alarm
  const window = useWindowAround(longreach.since)
  const { tags } = useTags(deviceId, { live: false })
  const tag = tags.find((one) => one.path === path && isDrawable(one))
  const sources =
    tag === undefined ? [] : [{ device: deviceId, path, type: tag.type, everyMs: tag.everyMs }]
  const resolution = chooseResolution('auto', window, { pixels: 320 })
  const history = useHistory(sources, window, { resolution, following: false, zone })
  if (tag === undefined || sources[0] === undefined) return null
  const line = history.data?.get(sourceKey(sources[0])) ?? { times: [], values: [] }
  const unit = tag.unit === undefined ? {} : { unit: tag.unit }
  const value = {
    ...broken(line, sources[0], resolution, []),
    id: path,
    name: tag.name,
    color: chartColors[0] ?? 'var(--chart-1)',
    step: tag.type === 'boolean',
    ...unit,
  }
  const limits = limitsOf(longreach.words?.limit).map((limit) => ({
    id: `limit ${limit}`,
    name: t('alarms.limitName'),
    color: 'var(--lr-alarm)',
    times: [window.from, window.to],
    values: [limit, limit],
    dashed: true,
    ...unit,
  }))
  return (
    <PanelSection title={tag.name}>
      <TimeChart
        label={t('alarms.chart', { name: tag.name })}
        series={[value, ...limits]}
        window={window}
        zone={zone}
        height={170}
        marks={[{ id: 'raise', from: longreach.since, text: t('alarms.change.raised') }]}
        pending={history.data === undefined && !history.isError}
        plain
      />
    </PanelSection>
  )
}

/** From 15 minutes before a time to 15 minutes after it, or to now in steps of 10 s. */
function useWindowAround(since: number) {
  const now = useNow()
  const to = Math.min(since + aroundMs, Math.ceil(now / stepMs) * stepMs)
  return useMemo(() => ({ from: since - aroundMs, to }), [since, to])
}

/** Limits that can be drawn: a number, or both ends of a band. */
const limitsOf = (limit: unknown) =>
  (Array.isArray(limit) ? limit : [limit]).filter((one) => typeof one === 'number')
