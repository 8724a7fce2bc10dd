import { useWords } from '@longreach/ui/use-words'
import { useComputedColorScheme } from '@mantine/core'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Cluster } from './cluster-rules.ts'
import { mapColors } from './map-colors.ts'
import { type Stage, stageIn, type View } from './map-stage.ts'
import { mapStyle } from './map-style.ts'
import { type Box, nearest, type Place } from './map-url-rules.ts'
import { type MapSetting, shippedCarries } from './use-map-setting.ts'
import type { Spot } from './use-placing.ts'

export type StageProps = {
  /** Place that the map shows at first. */
  start: Place
  /** Box that the map shows at first as a whole, in place of `start`. */
  whole: Box | undefined
  onView: (view: View) => void
  onStage: (stage: Stage | undefined) => void
  onOpen: (cluster: Cluster) => void
  onMoved: (cluster: Cluster, to: Spot) => void
  /** This browser cannot draw it. */
  onFailed: () => void
}
type Tip = { cluster: Cluster; x: number; y: number }

/** Opens the map in an element and keeps its colours those of the theme. */
export function useStage(
  box: RefObject<HTMLDivElement | null>,
  setting: MapSetting,
  props: StageProps,
) {
  const t = useWords()
  const scheme = useComputedColorScheme('light')
  const [stage, setStage] = useState<Stage>()
  const [ready, setReady] = useState(false)
  const [tip, setTip] = useState<Tip>()
  const onHover = useEffectEvent((cluster: Cluster | undefined) => {
    const at = cluster && stage?.pixelOf(cluster)
    setTip(cluster && at && { cluster, x: at.x, y: at.y })
  })
  // A map lives longer than one showing of the page: it tells the page as it is now.
  const onView = useEffectEvent((view: View) => props.onView(view))
  const onOpen = useEffectEvent((cluster: Cluster) => props.onOpen(cluster))
  const onMoved = useEffectEvent((cluster: Cluster, to: Spot) => props.onMoved(cluster, to))
  const styleIn = (element: HTMLElement) =>
    mapStyle(setting.basemap, mapColors(element), setting.tiles)
  const open = useEffectEvent((container: HTMLElement) =>
    stageIn(
      container,
      {
        style: styleIn(container),
        place: props.start,
        whole: props.whole,
        label: t('device-map.map'),
        carries: setting.tiles ? nearest : shippedCarries,
        onView,
        onReady: () => setReady(true),
        onOpen,
        onHover,
        onMoved,
      },
      setting.tiles?.archive === true,
    ),
  )
  const told = useEffectEvent((now: Stage | undefined) => {
    setStage(now)
    props.onStage(now)
  })
  const failed = useEffectEvent(() => props.onFailed())
  useEffect(() => {
    const container = box.current
    if (!container) return undefined
    let opened: Stage | undefined
    let gone = false
    open(container).then(
      (now) => {
        if (gone) return now.close()
        opened = now
        return told(now)
      },
      () => failed(), // the page says so and shows the list alone
    )
    return () => {
      gone = true
      opened?.close()
      told(undefined)
    }
  }, [box])
  const drawnIn = useRef({ scheme, setting })
  const restyle = useEffectEvent(() => box.current && stage?.style(styleIn(box.current)))
  useEffect(() => {
    const { current } = drawnIn
    if (!stage || (current.scheme === scheme && current.setting === setting)) return
    drawnIn.current = { scheme, setting }
    restyle()
  }, [stage, scheme, setting])
  return { stage, ready, tip }
}
