import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { type Cluster, states, widthOf } from './cluster-rules.ts'
import { StateShape } from './StateShape.tsx'
import classes from './ClusterTip.module.css'

type Props = { cluster: Cluster; x: number; y: number }

/** Tooltip of a marker: the device with its state, or the number of devices in each state. */
export function ClusterTip({ cluster, x, y }: Props) {
  const t = useWords()
  const intl = useIntl()
  const { device, count } = cluster
  return (
    <div
      className={classes.tip}
      role="tooltip"
      style={{ left: x, top: y - widthOf(cluster) / 2 - 8 }}
    >
      <b>{device?.label ?? t('device-map.devices', { count })}</b>
      {states
        .filter((state) => cluster.states[state] > 0)
        .map((state) => (
          <span key={state} className={classes.tipLine}>
            <StateShape state={state} />
            {t(`device-map.state.${state}`)}
            {!device && <span>{intl.formatNumber(cluster.states[state])}</span>}
          </span>
        ))}
    </div>
  )
}
