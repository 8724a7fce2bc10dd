import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { formatTime, formatValue } from '@longreach/ui/format'
import { Panel } from '@longreach/ui/PageHeader'
import { shownValue } from '@longreach/ui/shown-unit'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import { api } from '../../../parts/api/api.ts'
import { useTags } from '../../../parts/devices/devices.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useLook } from '../../../parts/look/look.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { isDrawable, type Tag } from '../../../parts/devices/tags.ts'
import { type Changed, type Figures, mostChanged } from './changed-rules.ts'
import type { Row } from '../device-rows.ts'
import shared from './device-page.module.css'
import classes from './ChangedDuring.module.css'
import { exploreSearch } from './explore-link.ts'
import { linkTo } from '../../../parts/pages/page-links.ts'

const mostAsked = 200
const mostShown = 12

/** The values that moved most within a time. */
export function ChangedDuring({ device, window }: { device: Row; window: TimeWindow }) {
  const t = useWords()
  const { locale } = useIntl()
  const { zone, temperature } = useLook()
  const errorText = useErrorText()
  const { tags, pending } = useTags(device.deviceId, { live: false })
  const asked = tags.filter((tag) => tag.history && isDrawable(tag)).slice(0, mostAsked)
  const { data, error, refetch } = useFigures(device.deviceId, asked, window)
  const tagOf = new Map(asked.map((tag) => [tag.path, tag]))
  const shownText = (given: number | null, unitOfDevice: string | undefined) => {
    const { value, unit } = shownValue(given, unitOfDevice, temperature)
    return formatValue(value, { unit, locale })
  }
  const textOf = (path: string, value: number | null) =>
    tagOf.get(path)?.type === 'boolean' && value !== null
      ? t(value > 0 ? 'live.on' : 'live.off')
      : shownText(value, tagOf.get(path)?.unit)
  const changed = mostChanged(data ?? [], mostShown, textOf)
  const time = (at: number) => formatTime(new Date(at), locale, zone)
  return (
    <Panel title={t('device-page.changedDuring')}>
      <p className={shared.dim}>
        {t('device-page.fromTo', { from: time(window.from), to: time(window.to) })}
      </p>
      {error && <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />}
      {(pending || (asked.length > 0 && !data && !error)) && <RowsSkeleton rows={4} />}
      {!pending && (data || asked.length === 0) && changed.length === 0 && (
        <p>{t('device-page.nothingChanged')}</p>
      )}
      <ul className={shared.list}>
        {changed.map((one) => (
          <ChangedRow
            key={one.path}
            changed={one}
            tag={tagOf.get(one.path)}
            text={(value) => textOf(one.path, value)}
            search={exploreSearch(device.deviceId, [one.path], window)}
          />
        ))}
      </ul>
    </Panel>
  )
}

type RowProps = {
  changed: Changed
  tag: Tag | undefined
  text: (value: number | null) => string
  search: ReturnType<typeof exploreSearch>
}

function ChangedRow({ changed, tag, text, search }: RowProps) {
  const t = useWords()
  const { first, last, low, high, path } = changed
  const [begun, ended] = [text(first), text(last)]
  const other = text(low) === ended ? text(high) : text(low)
  return (
    <li className={classes.changedRow}>
      <Anchor component={Link} inherit {...linkTo('/data-explore', { search })} title={path}>
        {tag?.name ?? path}
      </Anchor>
      <b>{begun === ended ? ended : `${begun} → ${ended}`}</b>
      {tag?.type !== 'boolean' && (
        <span className={shared.dim}>
          {t('device-page.between', { low: text(low), high: text(high) })}
        </span>
      )}
      {tag?.type === 'boolean' && begun === ended && (
        <span className={shared.dim}>{t('device-page.meanwhile', { value: other })}</span>
      )}
    </li>
  )
}

/** First, last, least and greatest value of each tag within the time. */
function useFigures(deviceId: string, tags: readonly Tag[], window: TimeWindow) {
  const org = useReach()
  const client = useQueryClient()
  const step = Math.max(60_000, Math.floor((window.to - window.from) / 20))
  const [from, to] = [Math.floor(window.from / step) * step, Math.ceil(window.to / step) * step]
  const paths = tags.map(({ path }) => path)
  const about = ['changed', org, deviceId, paths]
  return useQuery({
    queryKey: [...about, from, to],
    // What was found a step ago stays until the next answer is here, also while no server gives one.
    placeholderData: () => newestOf(client, about, { lengthMs: to - from, step }),
    queryFn: async ({ signal }): Promise<Figures[]> => {
      const ask = (type: 'first' | 'last' | 'min' | 'max') =>
        api.platform.queryTags(
          {
            params: { org },
            body: {
              sources: paths.map((modelPath) => ({ deviceId, modelPath })),
              since: from,
              to,
              aggregation: { type, sampling: { size: to - from, unit: 'milliseconds' } },
            },
          },
          { signal },
        )
      const answers = await Promise.all([ask('first'), ask('last'), ask('min'), ask('max')])
      const [first, last, low, high] = answers.map(
        (series) => new Map(series.map(({ modelPath, data }) => [modelPath, numbersOf(data)])),
      )
      return paths.map((path) => ({
        path,
        first: first?.get(path)?.at(0) ?? null,
        last: last?.get(path)?.at(-1) ?? null,
        low: least(low?.get(path)),
        high: greatest(high?.get(path)),
      }))
    },
    enabled: paths.length > 0,
    staleTime: 60_000,
  })
}

/** The newest figures that are known for a time about as long. */
function newestOf(
  client: QueryClient,
  about: readonly unknown[],
  { lengthMs, step }: { lengthMs: number; step: number },
) {
  const known = client.getQueriesData<Figures[]>({ queryKey: about }).filter(([key, data]) => {
    const [from, to] = key.slice(about.length).map(Number)
    return data && Math.abs((to ?? 0) - (from ?? 0) - lengthMs) <= 2 * step
  })
  const newest = known.toSorted(([one], [other]) => Number(other.at(-1)) - Number(one.at(-1)))
  return newest[0]?.[1]
}

/** A step may be cut in two by its alignment: all that are there count. */
const numbersOf = (data: readonly unknown[][]) =>
  data.flatMap(([, value]) => {
    if (typeof value === 'boolean') return [Number(value)]
    return typeof value === 'number' && Number.isFinite(value) ? [value] : []
  })
const least = (values: readonly number[] = []) => (values.length > 0 ? Math.min(...values) : null)
const greatest = (values: readonly number[] = []) =>
  values.length > 0 ? Math.max(...values) : null
