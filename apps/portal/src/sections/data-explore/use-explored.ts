import type { ChartSeries } from '@longreach/ui/chart-data'
import { chartColors } from '@longreach/ui/TimeChart'
import { endsNow, type TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { configurationQuery, deviceQuery, seriesQuery } from '../../lib/devices.ts'
import { broken, joined, type Source, sourceKey } from '../../lib/history.ts'
import { useLiveLines } from '../../lib/live.ts'
import { chooseResolution } from '../../lib/resolution.ts'
import { useReach } from '../../lib/reach.ts'
import { knownTags, shortPath, type Tag } from '../../lib/tags.ts'
import { useAway, useHistory, useWindow } from '../../lib/use-history.ts'
import { type ExploreState, type Line, lineKey } from './explore-url.ts'

/** The lines of the explorer with everything to draw them, live at their end while the range ends now. */
export function useExplored(state: ExploreState, pixels: number) {
  const t = useWords()
  const { lines, range, zone } = state
  const window = useWindow(range, zone)
  const following = endsNow(range)
  const devices = useMemo(() => [...new Set(lines.map(({ device }) => device))], [lines])
  const known = useKnown(devices)
  const sources = lines.map((line): Source => {
    const tag = known.tagOf(line)
    return {
      device: line.device,
      path: line.path,
      type: tag?.type ?? 'double',
      everyMs: tag?.everyMs,
    }
  })
  const resolution = chooseResolution(state.resolution, window, { pixels })
  const history = useHistory(known.pending ? none : sources, window, { resolution, following })
  const awayBy = useAway(devices, window)
  const { trailOf } = useLiveLines(sources, following && resolution === 'raw')
  const states = [t('live.off'), t('live.on')]
  const series = lines.map((line, index): ChartSeries => {
    const source = sources[index] ?? { ...line, type: 'double' }
    const past = history.data?.get(sourceKey(line))
    const whole =
      following && resolution === 'raw' ? joined(past, trailOf(line.device, line.path)) : past
    const tag = known.tagOf(line)
    const isSwitch = source.type === 'boolean'
    return {
      ...broken(whole ?? nothing, source, resolution, awayBy.get(line.device) ?? []),
      id: lineKey(line),
      name: nameOf(line, tag, devices.length > 1 ? known.labelOf(line.device) : undefined),
      color: chartColors[line.color] ?? 'var(--chart-1)',
      axis: line.axis,
      hidden: line.hidden,
      step: isSwitch,
      ...(isSwitch && { states }),
      ...(tag?.unit !== undefined && { unit: tag.unit }),
    }
  })
  const [only] = devices
  const away = devices.length === 1 && only !== undefined ? awayBy.get(only) : undefined
  return { series, window, resolution, history, away: away ?? noShades }
}

const none: readonly Source[] = []
const noShades: readonly TimeWindow[] = []
const nothing = { times: [], values: [] }

const nameOf = ({ path }: Line, tag: Tag | undefined, label: string | undefined) => {
  const name = tag?.name ?? shortPath(path)
  return label === undefined ? name : `${label} · ${name}`
}

/** Labels and tags of some devices, as far as they are known. */
function useKnown(devices: readonly string[]) {
  const org = useReach()
  const details = useQueries({ queries: devices.map((id) => deviceQuery(org, id)) })
  const series = useQueries({ queries: devices.map((id) => seriesQuery(org, id)) })
  const configurations = useQueries({ queries: devices.map((id) => configurationQuery(org, id)) })
  const at = (device: string) => devices.indexOf(device)
  return {
    pending: series.some(({ isPending }) => isPending),
    labelOf: (device: string) => details[at(device)]?.data?.value.label ?? device.slice(0, 6),
    tagOf: ({ device, path }: Line): Tag | undefined => {
      const { configurationJson } = configurations[at(device)]?.data ?? {}
      const tags = knownTags(series[at(device)]?.data ?? [], configurationJson)
      return tags.find((tag) => tag.path === path)
    },
  }
}
