import { late } from '@longreach/ui/late'
import { useQuery } from '@tanstack/react-query'
import type { ListState } from '../../parts/devices/device-filters.ts'
import { deviceQuery } from '../../parts/devices/devices.ts'
import { useReach } from '../../parts/session/reach.ts'
import type { Cluster } from './cluster-rules.ts'
import { useClusters, type useExtent } from './map-calls.ts'
import { NothingPlaced } from './NothingPlaced.tsx'
import type { useMap } from './use-map.ts'
import { type Spot, usePlacingOnMap } from './use-placing.ts'
import classes from './device-map.module.css'
import marker from './marker.module.css'

const MapView = late(() => import('./MapView.tsx'), 'MapView', <div className={marker.stage} />)
const world = { zoom: 1.4, lat: 25, lon: 8 }

type Props = {
  state: ListState
  map: ReturnType<typeof useMap>
  extent: ReturnType<typeof useExtent>
  movable: boolean
  onOpen: (device: string) => void
  onTray: () => void
}

/** The map in its frame; over it, what to do when nothing stands there. */
export function MapArea({ state, map, extent, movable, onOpen, onTray }: Props) {
  const { clusters } = useClusters(state, map.view)
  const place = usePlacingOnMap()
  const selected = useSpot(state.open)
  const box = extent?.box
  const known = map.start ?? extent
  const onCluster = (cluster: Cluster) =>
    cluster.device ? onOpen(cluster.device.id) : map.into(cluster)
  const onMoved = ({ device, lat, lon }: Cluster, to: Spot) =>
    device && place({ device, to, before: { lat, lon } })
  return (
    <div className={classes.frame}>
      {known && (
        <MapView
          start={map.start ?? world}
          // Without a place in its address it begins with all that there is.
          whole={map.start ? undefined : box}
          clusters={clusters}
          selected={selected}
          movable={movable}
          onView={map.onView}
          onStage={map.onStage}
          onOpen={onCluster}
          onMoved={onMoved}
          onFit={box && (() => map.stage?.fit(box))}
          onFailed={map.onFailed}
        />
      )}
      {extent?.count === 0 && <NothingPlaced state={state} onTray={onTray} />}
    </div>
  )
}

/** Position of the device with this id, to be marked on the map. */
function useSpot(id: string | undefined): Spot | undefined {
  const asked = deviceQuery(useReach(), id ?? '')
  return useQuery({ ...asked, enabled: id !== undefined }).data?.value.position
}
