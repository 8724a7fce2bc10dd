import { ActionButton } from '@longreach/ui/ActionButton'
import { useWords } from '@longreach/ui/use-words'
import { IconHandMove } from '@tabler/icons-react'
import { useMay } from '../../parts/session/session.ts'

type Props = { on: boolean; onChange: (on: boolean) => void }

/** Lets devices be dragged; off at first, so that none is moved by mistake. */
export function MoveSwitch({ on, onChange }: Props) {
  const t = useWords()
  const may = useMay()('devices:update')
  return (
    <ActionButton
      reason={may ? undefined : t('device-map.mayNotMove')}
      variant={on ? 'filled' : 'default'}
      leftSection={<IconHandMove size={16} stroke={1.7} aria-hidden />}
      aria-pressed={on}
      onClick={() => onChange(!on)}
    >
      {on ? t('device-map.moveDone') : t('device-map.move')}
    </ActionButton>
  )
}
