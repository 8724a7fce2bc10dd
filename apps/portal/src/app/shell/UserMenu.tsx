import { Menu, UnstyledButton } from '@mantine/core'
import { useNarrow } from '@longreach/ui/use-narrow'
import { useWords } from '@longreach/ui/use-words'
import { IconKey, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../parts/session/session.ts'
import { initials } from './initials.ts'
import { LookGroups } from './LookMenus.tsx'
import { useSignOut } from '../session/use-sign-out.ts'
import classes from './UserMenu.module.css'

/** Menu of the signed-in person with sign-out; on a phone also language and colours, for lack of space in the bar. */
export function UserMenu() {
  const t = useWords()
  const narrow = useNarrow()
  const { displayName, email, username, signOut } = useSession()
  const { failed, leave } = useSignOut(signOut)
  return (
    <Menu position="bottom-end" width={230} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton
          className={classes.person}
          data-initials={initials(displayName)}
          aria-label={t('shell.person', { name: displayName })}
        />
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <div className={classes.who}>
          <strong>{displayName}</strong>
          <span>{email || username}</span>
        </div>
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to="/account"
          leftSection={<IconUserCircle size={15} stroke={1.6} />}
        >
          {t('shell.section.account')}
        </Menu.Item>
        <Menu.Item component={Link} to="/apikeys" leftSection={<IconKey size={15} stroke={1.6} />}>
          {t('shell.section.api-keys')}
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick={false}
          leftSection={<IconLogout size={15} stroke={1.6} />}
          onClick={leave}
        >
          {t('shell.signOut')}
        </Menu.Item>
        {failed && (
          <div className={classes.failed} role="alert">
            {t('shell.signOutFailed')}
          </div>
        )}
        {narrow && <LookGroups />}
      </Menu.Dropdown>
    </Menu>
  )
}
