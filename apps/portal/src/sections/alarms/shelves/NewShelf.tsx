import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { IconClockPause } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../../parts/session/session.ts'

const NewShelfDialog = late(() => import('./NewShelfDialog.tsx'), 'NewShelfDialog')

/** Button that shelves a device group, a class or an organization. */
export function NewShelf() {
  const t = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        reason={useMay()('alarms:ack') ? undefined : t('alarm-shelves.mayNot')}
        leftSection={<IconClockPause size={16} stroke={1.8} />}
        onClick={() => setOpen(true)}
      >
        {t('alarm-shelves.shelveWide')}
      </ActionButton>
      {open && <NewShelfDialog onClose={() => setOpen(false)} />}
    </>
  )
}
