import { useWords } from '@longreach/ui/use-words'
import shared from './devices.module.css'
import classes from './ConnectionStrip.module.css'
import type { Activity } from './device-calls.ts'
import { stretchesOf } from './page/connection-strip.ts'

const width = 72
const height = 14
/** Distance of the lines where nothing is known. */
const hatch = 4

/** The last 24 hours of a device's line: where it was connected, and each time it was lost. */
export function ConnectionStrip({ activity }: { activity: Activity | undefined }) {
  const t = useWords()
  if (!activity) return <span className={shared.dim}>—</span>
  const { stretches, losses, unknownUntil } = stretchesOf(activity)
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
      {unknownUntil > 0 && (
        <g className={classes.stripUnknown}>
          {Array.from({ length: Math.floor((unknownUntil * width) / hatch) }, (_, index) => (
            <path key={index} d={`M${index * hatch} 10 l${hatch} -6`} />
          ))}
        </g>
      )}
      {stretches.map(({ from, to }) => (
        <rect
          key={from}
          className={classes.stripLine}
          x={from * width}
          y={4}
          width={Math.max(1, (to - from) * width)}
          height={6}
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
