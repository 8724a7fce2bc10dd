import { useWords } from '@longreach/ui/use-words'
import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconLayoutSidebarLeftCollapse } from '@tabler/icons-react'
import { useState } from 'react'
import type { ListState } from '../../../parts/devices/device-filters.ts'
import { inBrowser } from '../../../parts/kept/remembered.ts'
import type { Change } from './FilterParts.tsx'
import { FoldedRail } from './FoldedRail.tsx'
import { SegmentViews } from './SegmentViews.tsx'
import shared from '../devices.module.css'
import classes from './SegmentRail.module.css'

type Props = { state: ListState; onChange: Change }

/** Views on the devices at the left; where the table needs the room they are folded until asked for. */
export function SegmentRail(props: Props) {
  const wide = useMediaQuery('(min-width: 1360px)', undefined, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<boolean | null>(() => inBrowser.get('segments', null))
  const open = (next: boolean) => {
    setChosen(next)
    inBrowser.set('segments', next)
  }
  return (chosen ?? wide) ? (
    <OpenRail {...props} onFold={() => open(false)} />
  ) : (
    <FoldedRail state={props.state} onOpen={() => open(true)} />
  )
}

/** The views beside the list. */
function OpenRail({ state, onChange, onFold }: Props & { onFold: () => void }) {
  const t = useWords()
  return (
    <nav className={shared.rail} aria-label={t('devices.segments')}>
      <SegmentViews state={state} onChange={onChange} head={<Head onFold={onFold} />} />
    </nav>
  )
}

function Head({ onFold }: { onFold: () => void }) {
  const t = useWords()
  return (
    <div className={classes.railHead}>
      <h2 className={classes.railTitle}>{t('devices.segments')}</h2>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t('devices.segmentsHide')}
        title={t('devices.segmentsHide')}
        onClick={onFold}
      >
        <IconLayoutSidebarLeftCollapse size={15} stroke={1.6} aria-hidden />
      </ActionIcon>
    </div>
  )
}
