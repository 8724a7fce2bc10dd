import { Reason } from '@longreach/ui/Reason'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconHandMove } from '@tabler/icons-react'
import { useMay } from '../../parts/session/session.ts'

type Props = { on: boolean; onChange: (on: boolean) => void }

/** Lets devices be dragged; off at first, so that none is moved by mistake. */
export function MoveSwitch({ on, onChange }: Props) {
  const t = useWords()
  const may = useMay()('devices:update')
  return (
    <Reason text={may ? undefined : t('device-map.mayNotMove')}>
      <Button
        variant={on ? 'filled' : 'default'}
        leftSection={<IconHandMove size={16} stroke={1.7} aria-hidden />}
        aria-pressed={on}
        aria-disabled={!may}
        {...(!may && { 'data-disabled': true })}
        onClick={() => may && onChange(!on)}
      >
        {on ? t('device-map.moveDone') : t('device-map.move')}
      </Button>
    </Reason>
  )
}
