import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import type { ListState } from '../../../parts/devices/device-filters.ts'
import type { Change } from './FilterParts.tsx'
import { SegmentViews } from './SegmentViews.tsx'
import classes from '../devices.module.css'

type Props = { state: ListState; onChange: Change; onClose: () => void }

/** The views on the devices over the list; it closes when one is chosen. */
export function SegmentSheet({ state, onChange, onClose }: Props) {
  const t = useWords()
  return (
    <Dialog onClose={onClose} title={t('devices.segments')}>
      <nav className={classes.railSheet} aria-label={t('devices.segments')}>
        <SegmentViews
          state={state}
          onChange={(changes, options) => {
            onClose()
            return onChange(changes, options)
          }}
        />
      </nav>
    </Dialog>
  )
}
