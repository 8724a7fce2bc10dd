import { ActionMenuItem } from '@longreach/ui/ActionMenuItem'
import { useWords } from '@longreach/ui/use-words'
import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { createElement } from 'react'
import { useMay } from '../../../parts/session/session.ts'
import { deviceActionIcons } from '../device-action-icons.ts'
import type { DeviceAction } from '../device-actions.ts'
import classes from '../devices.module.css'

type Props = {
  label: string
  onClose: () => void
  onPick: (action: DeviceAction) => void
}

const entries = [
  ['edit', 'devices:update', 'mayNotUpdate'],
  ['preset', 'devices:update', 'mayNotUpdate'],
  ['attribute', 'devices:update', 'mayNotUpdate'],
  ['group', 'devicegroups:update', 'mayNotGroup'],
  ['move', 'devices:delete', 'mayNotDelete'],
  ['delete', 'devices:delete', 'mayNotDelete'],
] as const

/** Everything that can be done to one device of the list. */
export function RowMenu({ label, onClose, onPick }: Props) {
  const t = useWords()
  const may = useMay()
  return (
    <Menu opened onClose={onClose} position="bottom-end" withinPortal>
      <Menu.Target>
        <button type="button" className={classes.quickOne} aria-label={label}>
          <IconDots size={15} stroke={1.6} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(([action, right, reason]) => (
          <ActionMenuItem
            key={action}
            reason={may(right) ? undefined : t(`devices.${reason}`)}
            leftSection={createElement(deviceActionIcons[action], { size: 16, stroke: 1.6 })}
            {...(action === 'delete' && { className: classes.danger })}
            onClick={() => onPick(action)}
          >
            {t(`devices.action.${action}`)}
          </ActionMenuItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
