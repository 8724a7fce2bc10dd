import { chartColors } from '@longreach/ui/series-colors'
import { TimeChart } from '@longreach/ui/TimeChart'
import { shownSeries } from '@longreach/ui/shown-unit'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { endsNow, type TimeRange, widerWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { useMemo, useState } from 'react'
import { useTags } from '../devices/devices.ts'
import { broken, joined, sourceKey } from './history.ts'
import { useLiveLines } from '../live/live.ts'
import { useLook } from '../look/look.ts'
import { chooseResolution } from './resolution.ts'
import { isDrawable, type Tag } from '../devices/tags.ts'
import { usualZone } from '../look/time-zone.ts'
import { useAway, useHistory, useWindow } from './use-history.ts'
import classes from '../devices/TagValue.module.css'

type Props = {
  deviceId: string
  paths: readonly string[]
  height: number
  start: TimeRange
  /** With the choice of time; without, the chart follows the last minutes. */
  picker?: boolean
}

/** History of some tags of a device, going on live while it ends now. */
export function TagChart({ deviceId, paths, height, start, picker = false }: Props) {
  const t = useWords()
  const zone = usualZone()
  const [range, setRange] = useState<TimeRange>(start)
  const window = useWindow(range, zone)
  const { tags } = useTags(deviceId)
  const resolution = chooseResolution('auto', window, { pixels: picker ? 1000 : 320 })
  const following = endsNow(range)
  const key = paths.join('\n')
  const sources = useMemo(
    () =>
      key.split('\n').flatMap((path) =>
        sourceOf(
          deviceId,
          tags.find((tag) => tag.path === path),
        ),
      ),
    // The newest values in `tags` do not matter here, only which there are.
    // oxlint-disable-next-line react/exhaustive-deps
    [deviceId, key, tags.length],
  )
  const history = useHistory(sources, window, { resolution, following, zone })
  const noneDrawable = tags.length > 0 && sources.length === 0
  const away = useAway([deviceId], window).get(deviceId)
  const { trailOf } = useLiveLines(sources, following && resolution === 'raw')
  const { temperature } = useLook()
  const series = sources.map((source, index) => {
    const past = history.data?.get(sourceKey(source))
    const line =
      following && resolution === 'raw' ? joined(past, trailOf(deviceId, source.path)) : past
    const one = {
      ...broken(line ?? { times: [], values: [] }, source, resolution, away ?? []),
      id: source.path,
      name: source.name,
      color: chartColors[index % 8] ?? 'var(--chart-1)',
      step: source.type === 'boolean',
      ...(source.type === 'boolean' && { states: [t('live.off'), t('live.on')] }),
      ...(source.unit !== undefined && { unit: source.unit }),
    }
    return shownSeries(one, temperature)
  })
  return (
    <div className={classes.tagChart}>
      {picker && <TimeRangePicker value={range} window={window} zone={zone} onChange={setRange} />}
      <TimeChart
        label={t('devices.chart.label')}
        series={series}
        window={window}
        zone={zone}
        height={height}
        shades={away ?? none}
        onZoom={setRange}
        onZoomOut={() => setRange(picker ? widerWindow(window, Date.now()) : start)}
        plain={!picker}
        pending={history.data === undefined && !history.isError && !noneDrawable}
      />
    </div>
  )
}

const none: readonly never[] = []

const sourceOf = (device: string, tag: Tag | undefined) =>
  tag && isDrawable(tag)
    ? [
        {
          device,
          path: tag.path,
          type: tag.type,
          name: tag.name,
          unit: tag.unit,
          everyMs: tag.everyMs,
        },
      ]
    : []
