import { BytesText } from '@longreach/ui/NumberText'
import { Panel } from '@longreach/ui/PageHeader'
import { chartColors } from '@longreach/ui/series-colors'
import { TimeChart } from '@longreach/ui/TimeChart'
import { formatBytes } from '@longreach/ui/format'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { useLook } from '../../parts/look/look.ts'
import type { Rule, Used } from './storage-calls.ts'
import { bytesIn, forecast, isForecastable, nextSize, scaleOf } from './storage-rules.ts'
import classes from './storage.module.css'

/** Figures of the storage in use, its growth by day, and its expected size. */
export function StorageFigures({ used, rules }: { used: Used; rules: readonly Rule[] }) {
  const t = useWords()
  const intl = useIntl()
  const { zone } = useLook()
  const { bytes, values, bytesPerDay, valuesPerDay, oldest } = used.total
  const known = isForecastable(used.at, oldest)
  const general = rules.filter(({ model, path }) => model === '' && path === '')
  const keepDays =
    general.length > 0 ? Math.min(...general.map((rule) => rule.keepDays)) : undefined
  const asked = { bytes, bytesPerDay, now: used.at, keepDays }
  const next = nextSize(asked)
  const day = (at: number) => intl.formatDate(at, { dateStyle: 'long', timeZone: zone })
  const size = (amount: number) => formatBytes(amount, { base: 1024, locale: intl.locale })
  return (
    <div className={classes.top}>
      <Panel title={t('storage.now')}>
        <dl className={classes.figures}>
          <div>
            <dt>{t('storage.size')}</dt>
            <dd>
              <BytesText value={bytes} />
            </dd>
          </div>
          <div>
            <dt>{t('storage.values')}</dt>
            <dd>{intl.formatNumber(values, { notation: 'compact', maximumFractionDigits: 1 })}</dd>
          </div>
          <div>
            <dt>{t('storage.perDay')}</dt>
            <dd>
              <BytesText value={bytesPerDay} />
              <small>{t('storage.valuesPerDay', { values: Math.round(valuesPerDay) })}</small>
            </dd>
          </div>
        </dl>
        {known && (
          <p className={classes.pace}>
            {next
              ? t('storage.pace', { size: size(next.bytes), date: day(next.at) })
              : keepDays === undefined
                ? t('storage.paceNone')
                : t('storage.paceKept', { days: keepDays })}
          </p>
        )}
      </Panel>
      <Panel title={t('storage.forecast')}>
        {known ? (
          <Forecast {...{ asked, zone }} />
        ) : (
          <p className={classes.pace}>{t('storage.forecastNone')}</p>
        )}
      </Panel>
    </div>
  )
}

type Asked = Parameters<typeof forecast>[0]

const horizons = [
  [1, 'month', 30],
  [3, 'month', 90],
  [1, 'year', 364],
] as const

function Forecast({ asked, zone }: { asked: Asked; zone: string }) {
  const t = useWords()
  const intl = useIntl()
  const { bytes, bytesPerDay, now, keepDays } = asked
  const { series, unit } = useMemo(() => {
    const { times, values } = forecast({ bytes, bytesPerDay, now, keepDays })
    const { name, size } = scaleOf(Math.max(...values))
    const scaled = values.map((value) => value / size)
    const look = { kind: 'area', color: chartColors[0] ?? '', dashed: true } as const
    const drawn = { id: 'forecast', name: t('storage.forecast'), times, values: scaled }
    return { series: [{ ...drawn, unit: name, ...look }], unit: name }
  }, [bytes, bytesPerDay, now, keepDays, t])
  const window = { from: now, to: now + 364 * 86_400_000 }
  return (
    <div className={classes.forecast}>
      <div>
        <p className={classes.axis} aria-hidden>
          {unit}
        </p>
        <TimeChart
          plain
          label={t('storage.forecastLabel')}
          series={series}
          window={window}
          zone={zone}
          height={132}
        />
      </div>
      <dl className={classes.horizons}>
        {horizons.map(([count, span, days]) => (
          <div key={days}>
            <dt>{intl.formatRelativeTime(count, span)}</dt>
            <dd>
              <BytesText value={bytesIn(days, asked)} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
