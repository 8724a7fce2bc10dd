import { Menu, type MenuItemProps } from '@mantine/core'
import { actionProps } from './action-props.ts'
import { Hint } from './Hint.tsx'

type Props = Omit<MenuItemProps, 'disabled'> & {
  /** Why it may not be chosen; undefined: it may. */
  reason: string | undefined
  onClick?: () => unknown
}

/** Entry of a menu that says on hover and focus why it may not be chosen; the menu then stays open. */
export function ActionMenuItem({ reason, onClick, ...item }: Props) {
  const off = reason !== undefined
  return (
    <Hint text={reason}>
      <Menu.Item
        {...item}
        {...(off && { closeMenuOnClick: false })}
        {...actionProps(off, onClick)}
      />
    </Hint>
  )
}
