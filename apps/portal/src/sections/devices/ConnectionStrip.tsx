import { useWords } from '@longreach/ui/use-words'
import classes from './devices.module.css'
import type { Activity } from './device-calls.ts'
import { stretchesOf } from './page/connection-strip.ts'

const width = 72
const height = 14

/** The last 24 hours of a device's line: where it was connected, and each time it was lost. */
export function ConnectionStrip({ activity }: { activity: Activity | undefined }) {
  const t = useWords()
  if (!activity) return <span className={classes.dim}>—</span>
  const { stretches, losses } = stretchesOf(activity)
  const label = t('devices.lossesText', { count: losses.length })
  return (
    <svg
      className={classes.strip}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <rect className={classes.stripGround} x={0} y={6} width={width} height={2} />
      {stretches.map(({ from, to }) => (
        <rect
          key={from}
          className={classes.stripLine}
          x={from * width}
          y={5}
          width={Math.max(1, (to - from) * width)}
          height={4}
        />
      ))}
      {losses.map((at) => (
        <rect
          key={at}
          className={classes.stripLoss}
          x={at * width - 0.75}
          y={1}
          width={1.5}
          height={12}
        />
      ))}
    </svg>
  )
}
