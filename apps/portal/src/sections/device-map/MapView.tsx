import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useEffect, useRef } from 'react'
import { useIntl } from 'react-intl'
import { severityName } from '../../parts/alarms/severity.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { Cluster } from './cluster-rules.ts'
import { ClusterTip } from './ClusterTip.tsx'
import { Legend } from './Legend.tsx'
import { MapButtons } from './MapButtons.tsx'
import { markerElement } from './marker-element.ts'
import { type MapSetting, useMapSetting } from './use-map-setting.ts'
import type { Spot } from './use-placing.ts'
import { type StageProps, useStage } from './use-stage.ts'
import marker from './marker.module.css'
import classes from './MapView.module.css'

type Props = StageProps & {
  clusters: readonly Cluster[]
  /** Position of the open device. */
  selected: Spot | undefined
  movable: boolean
  onFit: (() => void) | undefined
}

/** So many marks have room for their names. */
const mostNames = 40

/** The map with what stands on it. */
export function MapView(props: Props) {
  const errorText = useErrorText()
  const { data, error, refetch } = useMapSetting()
  if (error) return <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
  if (data === undefined) return <div className={marker.stage} aria-busy />
  return <OpenMap {...props} setting={data} />
}

function OpenMap({ setting, ...props }: Props & { setting: MapSetting }) {
  const t = useWords()
  const intl = useIntl()
  const box = useRef<HTMLDivElement>(null)
  const { stage, ready, tip } = useStage(box, setting, props)
  const { clusters, selected, movable } = props
  useEffect(() => {
    const spoken = ({ device, count, worst, alarm }: Cluster) => {
      const name = t('device-map.marker', {
        name: device?.label ?? t('device-map.devices', { count }),
        state: t(`device-map.state.${worst}`),
      })
      if (alarm === undefined) return name
      const severity = t(`alarm.severity.${severityName(alarm)}`)
      return t('device-alarms.onMap', { name, severity })
    }
    const draw = (cluster: Cluster) =>
      markerElement(cluster, spoken(cluster), intl.formatNumber(cluster.count))
    stage?.show(clusters, { draw, movable })
  }, [stage, clusters, movable, intl, t])
  useEffect(() => {
    const halo = document.createElement('div')
    halo.className = classes.halo ?? ''
    stage?.select(selected, halo)
  }, [stage, selected])
  return (
    <div className={marker.stage} data-ready={ready || undefined}>
      <div
        ref={box}
        className={marker.canvas}
        data-labels={clusters.length < mostNames || undefined}
      />
      {stage && <MapButtons stage={stage} onFit={props.onFit} />}
      <Legend />
      <p className={classes.attribution}>
        {[setting.tiles?.attribution, 'Natural Earth'].filter(Boolean).join(' · ')}
      </p>
      {tip && <ClusterTip {...tip} />}
    </div>
  )
}
