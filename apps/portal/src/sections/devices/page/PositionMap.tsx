import type { FeatureCollection, MultiPolygon } from 'geojson'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { closedRing } from '@longreach/ui/date-line'
import shared from './device-page.module.css'
import classes from './PositionMap.module.css'

type Position = { lat: number; lon: number }

/** Map with the device's position: small, and without moves. */
export function PositionMap({ position: { lat, lon } }: { position: Position }) {
  const t = useWords()
  const intl = useIntl()
  const { data: land = '' } = useQuery({
    queryKey: ['land'],
    queryFn: landPath,
    staleTime: Infinity,
  })
  const degrees = (value: number) =>
    intl.formatNumber(value, { minimumFractionDigits: 4, maximumFractionDigits: 4 })
  const text = `${degrees(lat)}°, ${degrees(lon)}°`
  // A window around the place: a third of the world, kept inside of it.
  const left = clamp(lon + 180 - 60, 0, 240)
  const top = clamp(90 - lat - 30, 0, 120)
  return (
    <div className={classes.position}>
      <svg
        viewBox={`${left} ${top} 120 60`}
        role="img"
        aria-label={t('device-page.positionAt', { place: text })}
      >
        {worlds.map((shift) => (
          <path key={shift} className={classes.land} d={land} transform={`translate(${shift} 0)`} />
        ))}
        <circle className={classes.spot} cx={lon + 180} cy={90 - lat} r="1.6" strokeWidth="0.5" />
      </svg>
      <span className={shared.dim}>{text}</span>
    </div>
  )
}

/** Offsets in degrees at which the world is drawn, so that shapes past 180° appear at the other end too. */
const worlds = [-360, 0, 360]

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

/** The shipped land as one path, in degrees from the upper left corner of the world. */
async function landPath() {
  const [{ feature }, { default: world }] = await Promise.all([
    import('topojson-client'),
    import('world-atlas/land-110m.json'),
  ])
  // Land is a collection of polygons.
  const { features } = feature(world, world.objects.land) as FeatureCollection<MultiPolygon>
  const rings = features.flatMap(({ geometry }) => geometry.coordinates.flat()).map(closedRing)
  return rings
    .map((ring) => `M${ring.map(([x = 0, y = 0]) => `${x + 180} ${90 - y}`).join('L')}Z`)
    .join('')
}
