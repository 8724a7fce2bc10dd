import { formatTime } from '@longreach/ui/format'
import { chartColors } from '@longreach/ui/series-colors'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { useTags } from '../../../parts/devices/devices.ts'
import { isDrawable, type Tag } from '../../../parts/devices/tags.ts'
import { sourceKey } from '../../../parts/history/history.ts'
import { chooseResolution } from '../../../parts/history/resolution.ts'
import { useHistory } from '../../../parts/history/use-history.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { drawnLimits, drawnRange, pathsNamed } from './limit-lines.ts'
import classes from './LimitChart.module.css'
import { LimitHandle } from './LimitHandle.tsx'
import { useEditing } from './rule-context.ts'
import { classes as shared } from './rule-classes.ts'

type Window = { from: number; to: number }
type Props = { deviceId: string; label: string; window: Window }

/** Items of a list that are drawn at once. */
const mostLines = 4
const drawnPx = 480

/** Values of a device under the limits of the edited rule, which are dragged, or moved by arrow keys. */
export function LimitChart({ deviceId, label, window }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  const { rule } = useEditing()
  const drawn = drawnLimits(rule)
  const { lines, isKnown } = useDrawnLines(deviceId, drawn?.path, window)
  const values = useMemo(() => lines.flatMap(({ values: some }) => some), [lines])
  if (drawn === undefined) return null
  const limits = drawn.lines.map(({ value }) => value)
  const range = drawnRange([...values, ...limits])
  const time = (at: number) => formatTime(new Date(at), locale, usualZone())
  return (
    <section aria-label={t('rule-tools.chart', { device: label })}>
      <div className={classes.chart} data-limits>
        <svg
          className={classes.plot}
          viewBox={`0 0 ${drawnPx} 100`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {lines.map(({ path, times, values: some }, index) => (
            <path
              key={path}
              className={classes.value}
              stroke={chartColors[index]}
              d={curveOf(times, some, window, range)}
            />
          ))}
        </svg>
        {drawn.lines.map((line) => (
          <LimitHandle key={`${line.place} ${line.end ?? ''}`} line={line} range={range} />
        ))}
      </div>
      <p className={classes.ends}>
        <span>{time(window.from)}</span>
        <span>{time(window.to)}</span>
      </p>
      <p className={shared.help}>
        {t(isKnown && lines.length === 0 ? 'rule-tools.noValues' : 'rule-tools.chartHelp')}
      </p>
    </section>
  )
}

/** Curve in a box of 480 by 100; it is broken where there is no number. */
function curveOf(
  times: readonly number[],
  values: readonly number[],
  { from, to }: Window,
  { low, high }: { low: number; high: number },
) {
  let isOn = false
  return times
    .map((at, index) => {
      const value = values[index]
      if (value === undefined || !Number.isFinite(value)) {
        isOn = false
        return ''
      }
      const x = ((at - from) / (to - from)) * drawnPx
      const y = 100 - ((value - low) / (high - low)) * 100
      const command = isOn ? 'L' : 'M'
      isOn = true
      return `${command}${x.toFixed(1)} ${y.toFixed(2)}`
    })
    .join('')
}

/** Stored values of the paths of a device that a path of a rule names. */
function useDrawnLines(deviceId: string, path: string | undefined, window: Window) {
  const { tags, pending } = useTags(deviceId, { live: false })
  const sources = useMemo(
    () => (path === undefined ? [] : sourcesOf(deviceId, path, tags)),
    [deviceId, path, tags],
  )
  const zone = usualZone()
  const resolution = chooseResolution('auto', window, { pixels: drawnPx })
  const { data, isError } = useHistory(sources, window, { resolution, following: false, zone })
  const lines = useMemo(
    () =>
      sources.flatMap((source) => {
        const line = data?.get(sourceKey(source))
        if (line === undefined || line.times.length === 0) return []
        const values = [...line.values].map((value) => value ?? Number.NaN)
        return [{ path: source.path, times: [...line.times], values }]
      }),
    [sources, data],
  )
  const isKnown = !pending && (sources.length === 0 || data !== undefined || isError)
  return { lines, isKnown }
}

const sourcesOf = (device: string, path: string, tags: readonly Tag[]) => {
  const drawable = tags.filter(isDrawable)
  const named = pathsNamed(
    path,
    drawable.map((tag) => tag.path),
  ).slice(0, mostLines)
  return drawable
    .filter((tag) => named.includes(tag.path))
    .map((tag) => ({ device, path: tag.path, type: tag.type, everyMs: tag.everyMs }))
}
