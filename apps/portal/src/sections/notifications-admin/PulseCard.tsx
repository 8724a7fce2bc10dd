import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { api, query } from '../../parts/api/api.ts'
import { pulseEveryMs, usePulse } from '../../parts/notifications/pulse-calls.ts'
import type { Pulse } from '../../parts/notifications/pulse-calls.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './pulse.module.css'
import { type ShownStation, shownStations } from './pulse-stations.ts'

const WatcherDialog = late(() => import('./WatcherDialog.tsx'), 'WatcherDialog')

/** The pulse: how old it is, and at which station it stands still; elsewhere than at the root whether it goes on. */
export function PulseCard() {
  const t = useWords()
  const { pulse, aheadMs } = usePulse()
  const [isOpen, setOpen] = useState(false)
  const stations = useStations(pulse)
  if (!pulse) return null
  const stuck = stations.find(({ state }) => state === 'still')
  return (
    <section aria-label={t('pulse.title')} className={classes.card} data-state={pulse.state}>
      <div className={classes.head}>
        <h2 className={classes.title}>
          <StatusDot tone={tones[pulse.state]}>{t('pulse.title')}</StatusDot>
        </h2>
        <span className={classes.age}>
          {pulse.t === null ? (
            t(pulse.state === 'new' ? 'pulse.new' : 'pulse.never')
          ) : (
            <RelativeTime at={pulse.t + aheadMs} />
          )}
        </span>
        <span className={classes.said}>{t(`pulse.state.${pulse.state}`)}</span>
        {pulse.stations && <WatcherButton watcher={pulse.watcher} onClick={() => setOpen(true)} />}
      </div>
      {stations.length > 0 && (
        <ol className={classes.stations}>
          {stations.map((station) => (
            <Station key={station.name} station={station} aheadMs={aheadMs} />
          ))}
        </ol>
      )}
      {pulse.state === 'still' && (
        <p className={classes.advice}>
          {t(stuck ? `pulse.fix.${stuck.name}` : 'pulse.fixElsewhere')}
        </p>
      )}
      {isOpen && <WatcherDialog watcher={pulse.watcher} onClose={() => setOpen(false)} />}
    </section>
  )
}

const tones: Record<Pulse['state'], Tone> = { new: 'info', works: 'ok', still: 'alarm' }

/** Stations for those who may see them. */
function useStations(pulse: Pulse | undefined) {
  const { resourceId: org } = useSession().organization
  const { data, isError } = useQuery({
    ...query(api.platform.pulseValue, { params: { org } }),
    enabled: pulse !== undefined && pulse.stations !== null,
    refetchInterval: pulseEveryMs,
  })
  // Until the first answer nothing is claimed about any station.
  return pulse && (data || isError) ? shownStations(pulse, isError ? undefined : data) : []
}

const stationTones: Record<ShownStation['state'], Tone> = {
  works: 'ok',
  still: 'alarm',
  waits: 'off',
  new: 'info',
  unknown: 'warning',
}

type StationProps = { station: ShownStation; aheadMs: number }

function Station({ station: { name, state, passed }, aheadMs }: StationProps) {
  const t = useWords()
  const { formatNumber } = useIntl()
  return (
    <li className={classes.station} data-state={state}>
      <StatusDot tone={stationTones[state]}>{t(`pulse.station.${name}`)}</StatusDot>
      <span className={classes.time}>
        {passed === null ? (
          t(state === 'unknown' ? 'pulse.noAnswer' : 'pulse.noBeat')
        ) : state === 'works' ? (
          t('pulse.after', {
            seconds: formatNumber((passed.at - passed.t) / 1_000, { maximumFractionDigits: 2 }),
          })
        ) : (
          <RelativeTime at={passed.at + aheadMs} />
        )}
      </span>
    </li>
  )
}

type ButtonProps = { watcher: Pulse['watcher']; onClick: () => void }

function WatcherButton({ watcher, onClick }: ButtonProps) {
  const t = useWords()
  return (
    <ActionButton
      reason={undefined}
      size="compact-sm"
      variant="default"
      className={classes.watcher}
      onClick={onClick}
    >
      {t(watcher ? 'pulse.watcher' : 'pulse.setWatcher')}
    </ActionButton>
  )
}
