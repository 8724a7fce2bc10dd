import { useWords } from '@longreach/ui/use-words'
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import type { Stage } from './map-stage.ts'
import classes from './MapButtons.module.css'

type Props = { stage: Stage; onFit: (() => void) | undefined }

/** Nearer, farther, and everything that matches. */
export function MapButtons({ stage, onFit }: Props) {
  const t = useWords()
  const button = (label: string, Icon: typeof IconPlus, run: (() => void) | undefined) => (
    <button type="button" aria-label={label} title={label} disabled={!run} onClick={run}>
      <Icon size={16} stroke={1.7} aria-hidden />
    </button>
  )
  return (
    <div className={classes.buttons} role="group" aria-label={t('device-map.view')}>
      {button(t('device-map.nearer'), IconPlus, () => stage.zoomBy(1))}
      {button(t('device-map.farther'), IconMinus, () => stage.zoomBy(-1))}
      {button(t('device-map.fit'), IconMaximize, onFit)}
    </div>
  )
}
