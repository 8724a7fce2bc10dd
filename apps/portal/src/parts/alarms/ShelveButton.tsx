import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { IconClockPause } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay, useSession } from '../session/session.ts'
import type { Shelved } from './ShelveDialog.tsx'

const ShelveDialog = late(() => import('./ShelveDialog.tsx'), 'ShelveDialog')

type Props = { about: Extract<Shelved, { type: string }> }

/**
 * Button that shelves all alarms of something; nothing for who does not see alarms. Needs the words of
 * `alarm-shelves`.
 */
export function ShelveButton({ about }: Props) {
  const t = useWords()
  const may = useMay()
  const [open, setOpen] = useState(false)
  if (!useSession().organization.dataEnabled || !may('alarms:read')) return null
  const isAllowed = may(about.type === 'organization' ? 'alarms:update' : 'alarms:ack')
  return (
    <>
      <ActionButton
        reason={isAllowed ? undefined : t('alarm-shelves.mayNot')}
        variant="default"
        leftSection={<IconClockPause size={16} stroke={1.6} />}
        onClick={() => setOpen(true)}
      >
        {t('alarm-shelves.shelveAlarms')}
      </ActionButton>
      {open && <ShelveDialog about={about} onClose={() => setOpen(false)} />}
    </>
  )
}
