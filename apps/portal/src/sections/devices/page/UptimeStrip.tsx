import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { type KeyboardEvent, useId, useState } from 'react'
import { useIntl } from 'react-intl'
import type { Band } from './connection-bands.ts'
import classes from './UptimeStrip.module.css'
import { durationText } from '../duration-text.ts'

type Props = { bands: readonly Band[]; window: TimeWindow; zone: string }

/** The window as a strip of bands; pointer and arrow keys say what each stands for. */
export function UptimeStrip({ bands, window, zone }: Props) {
  const t = useWords()
  const intl = useIntl()
  const says = useId()
  const [chosen, setChosen] = useState<number>()
  const last = bands.length - 1
  const at = Math.min(chosen ?? last, last)
  const band = bands[at]
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: last,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(last, next)))
  }
  const hour = (time: number) => intl.formatTime(time, { timeStyle: 'short', timeZone: zone })
  const state = band && stateOf(band.connected)
  const text =
    band && state
      ? `${t(words[state])} · ${hour(band.from)} – ${hour(band.to)} · ${durationText(band.to - band.from, intl.locale)}`
      : ''
  const share = ({ from, to }: TimeWindow) => (to - from) / (window.to - window.from)
  return (
    <div className={classes.strip}>
      <div
        className={classes.bands}
        role="slider"
        tabIndex={0}
        aria-label={t('device-page.strip')}
        aria-valuemin={1}
        aria-valuemax={bands.length}
        aria-valuenow={at + 1}
        aria-valuetext={text}
        aria-describedby={says}
        onKeyDown={move}
      >
        {bands.map((one, index) => (
          <span
            key={one.from}
            data-state={stateOf(one.connected)}
            data-chosen={(chosen !== undefined && index === at) || undefined}
            style={{ flexGrow: share(one) }}
            onPointerEnter={() => setChosen(index)}
          />
        ))}
      </div>
      <div className={classes.scale} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part}>{hour(window.from + part * (window.to - window.from))}</span>
        ))}
      </div>
      <p id={says} className={classes.says}>
        {text}
      </p>
    </div>
  )
}

const stateOf = (connected: boolean | undefined) => {
  if (connected === undefined) return 'unknown'
  return connected ? 'online' : 'offline'
}
const words = {
  online: 'devices.online',
  offline: 'devices.offline',
  unknown: 'device-page.unknown',
} as const
