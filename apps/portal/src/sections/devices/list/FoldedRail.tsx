import { useWords } from '@longreach/ui/use-words'
import { IconLayoutSidebarLeftExpand, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ListState } from '../../../parts/devices/device-filters.ts'
import { useMay } from '../../../parts/session/session.ts'
import { useShownSegment } from './use-shown-segment.ts'
import shared from '../devices.module.css'
import classes from './FoldedRail.module.css'

/** The views on the devices as a strip: which one is shown, and the way to the others. */
export function FoldedRail({ state, onOpen }: { state: ListState; onOpen: () => void }) {
  const t = useWords()
  const may = useMay()
  const shown = useShownSegment(state)
  return (
    <nav className={shared.rail} data-folded aria-label={t('devices.segments')}>
      <button
        type="button"
        className={classes.railOpen}
        aria-label={t('devices.segmentsShow')}
        title={t('devices.segmentsShow')}
        onClick={onOpen}
      >
        <IconLayoutSidebarLeftExpand size={17} stroke={1.6} aria-hidden />
        <span data-on={shown !== undefined || undefined}>{shown ?? t('devices.segments')}</span>
      </button>
      {may('devices:delete') && (
        <Link
          to="/devices/trash"
          className={shared.railTrash}
          aria-label={t('devices.trash')}
          title={t('devices.trash')}
        >
          <IconTrash size={16} stroke={1.6} aria-hidden />
        </Link>
      )}
    </nav>
  )
}
