import { useCallback, useState } from 'react'
import { canDraw } from './can-draw.ts'
import type { Cluster } from './cluster-rules.ts'
import type { Device } from './map-calls.ts'
import type { Stage, View } from './map-stage.ts'
import { nearest, parsePlace, formatPlace } from './map-url-rules.ts'

/** Place that the map shows, and the functions that move it. */
export function useMap(at: string | undefined, remember: (at: string) => void) {
  const [start] = useState(() => parsePlace(at))
  const [view, setView] = useState<View>()
  const [stage, setStage] = useState<Stage>()
  const [works, setWorks] = useState(canDraw)
  const onView = (next: View) => {
    setView(next)
    remember(formatPlace(next))
  }
  const onFailed = useCallback(() => setWorks(false), [])
  const into = ({ extent, lat, lon }: Cluster) => {
    const flat = extent.north - extent.south < 1e-5 && Math.abs(extent.east - extent.west) < 1e-5
    const zoom = Math.min(nearest, (view?.zoom ?? 0) + 3)
    if (flat) stage?.go({ lat, lon, zoom })
    else stage?.fit(extent, nearest)
  }
  const show = ({ position }: Device) => {
    if (position && stage) {
      stage.go({ ...position, zoom: Math.max(view?.zoom ?? 0, stage.near) })
    }
  }
  return { start, view, stage, works, onView, onStage: setStage, onFailed, into, show }
}
