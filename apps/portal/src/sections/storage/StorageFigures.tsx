import { BytesText } from '@longreach/ui/NumberText'
import { Panel } from '@longreach/ui/PageHeader'
import { chartColors, TimeChart } from '@longreach/ui/TimeChart'
import { formatBytes } from '@longreach/ui/format'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { useLook } from '../../lib/look.ts'
import type { Rule, Used } from './storage-calls.ts'
import { forecast, nextSize } from './storage-rules.ts'
import classes from './storage.module.css'

const gib = 1024 ** 3
const mib = 1024 ** 2

/** What is stored now, what comes each day, and where that leads. */
export function StorageFigures({ used, rules }: { used: Used; rules: readonly Rule[] }) {
  const t = useWords()
  const intl = useIntl()
  const { zone } = useLook()
  const { bytes, values, bytesPerDay, valuesPerDay } = used.total
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
        <p className={classes.pace}>
          {next
            ? t('storage.pace', { size: size(next.bytes), date: day(next.at) })
            : keepDays === undefined
              ? t('storage.paceNone')
              : t('storage.paceKept', { days: keepDays })}
        </p>
      </Panel>
      <Panel title={t('storage.forecast')}>
        {bytes > 0 || bytesPerDay > 0 ? (
          <Forecast {...{ asked, zone }} />
        ) : (
          <p className={classes.pace}>{t('storage.forecastNone')}</p>
        )}
      </Panel>
    </div>
  )
}

type Asked = Parameters<typeof forecast>[0]

function Forecast({ asked, zone }: { asked: Asked; zone: string }) {
  const t = useWords()
  const { bytes, bytesPerDay, now, keepDays } = asked
  const series = useMemo(() => {
    const { times, values } = forecast({ bytes, bytesPerDay, now, keepDays })
    const large = (values.at(-1) ?? 0) >= gib
    const scaled = values.map((value) => value / (large ? gib : mib))
    const unit = large ? 'GiB' : 'MiB'
    const look = { kind: 'area', color: chartColors[0] ?? '', dashed: true } as const
    return [{ id: 'forecast', name: t('storage.forecast'), times, values: scaled, unit, ...look }]
  }, [bytes, bytesPerDay, now, keepDays, t])
  const window = { from: now, to: now + 364 * 86_400_000 }
  return (
    <TimeChart
      plain
      label={t('storage.forecastLabel')}
      series={series}
      window={window}
      zone={zone}
      height={132}
    />
  )
}
